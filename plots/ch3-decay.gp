# The score by distance, of three choices of q and k.
set title 'Where a score is largest is up to q and k, not to RoPE'
set xlabel 'distance of the key, back from the query (tokens)'
set ylabel 'score / (|q| |k|)'
set xrange [0:2000]
set yrange [-0.4:1.25]
set key top right horizontal
if (output_kind eq 'dumb') { set key outside bottom center horizontal maxcols 2 }
plot data.'/ch3-decay.tsv' skip 1 using 1:4 with linespoints linetype 2 linewidth 1 dashtype 1 pointinterval 25 \
         title 'q = R_(-1000) k', \
     '' skip 1 using 1:2 with linespoints linetype 1 linewidth 1 dashtype 1 pointinterval 25 title 'q = k = all ones', \
     '' skip 1 using 1:3 with linespoints linetype 3 linewidth 1 dashtype 1 pointinterval 25 title 'random q and k'
