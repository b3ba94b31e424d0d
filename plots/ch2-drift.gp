# Errors of many small rotations against one by the whole angle; both axes logarithmic.
set title 'Step by step the roundings add up; at once they hardly do'
set xlabel 'number of rotations by theta'
set ylabel 'distance to the exact point / length'
set logscale xy
set yrange [1e-17:10]
set format x '10^%L'
set format y '10^%L'
set key top left
shown(e) = e > 1e-17 ? e : 1e-17   # an exact result has no place on a log axis: it stands at its foot
plot data.'/ch2-drift.tsv' skip 1 using 1:(shown($2)) with linespoints linetype 1 pointinterval 10 title 'float32 by steps', \
     data.'/ch2-drift.tsv' skip 1 using 1:(shown($3)) with linespoints linetype 2 pointinterval 10 title 'float32 at once', \
     data.'/ch2-drift.tsv' skip 1 using 1:(shown($4)) with linespoints linetype 3 pointinterval 10 title 'float64 by steps', \
     data.'/ch2-drift.tsv' skip 1 using 1:(shown($5)) with linespoints linetype 4 pointinterval 10 title 'float64 at once'
