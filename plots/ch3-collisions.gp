# Which distances look like 0: how far the pair that is farthest from its start is from it.
set title 'To pair 0 alone many distances look like 0; to all pairs together none does'
set xlabel 'distance (tokens)'
set ylabel 'how far from the start (circle of radius 1)'
set logscale y
set xrange [0:400]
set yrange [0.005:8]
set key top right horizontal
set arrow from graph 0, first 0.05 to graph 1, first 0.05 nohead linetype 7 linewidth 1
set label 'below 0.05: looks like 0' at 396, 0.037 right
set label '44' at 44, 0.0125 center
set label '88' at 88, 0.025 center
set label '333' at 333, 0.0062 center
if (output_kind eq 'dumb') {
    # In characters the points of all pairs cover pair 0's: a sign for each, and the few that matter drawn last.
    set key outside bottom center horizontal
    unset label
    set yrange [0.005:3]
    plot data.'/ch3-collisions.tsv' skip 1 using 1:($2 > 0.05 ? $2 : NaN) with points pointtype '.' \
             title 'pair 0 alone', \
         '' skip 1 using 1:3 with points pointtype 'a' title 'all pairs', \
         '' skip 1 using 1:($2 > 0.05 ? NaN : $2) with points pointtype '0' \
             title 'pair 0 below the line at 0.05: looks like 0'
} else {
    plot data.'/ch3-collisions.tsv' skip 1 using 1:3 with points linetype 2 pointsize 0.4 title 'all pairs', \
         '' skip 1 using 1:($2 > 0.05 ? $2 : NaN) with points linetype 6 pointsize 0.4 title 'pair 0 alone', \
         '' skip 1 using 1:($2 > 0.05 ? NaN : $2) with points linetype 1 pointsize 0.9 title 'pair 0 looks like 0'
}
