# How much a score changes when query and key move together.
set title 'Move both tokens: only the rotation with a linear angle keeps the score'
set xlabel 'shift of both positions (tokens)'
set ylabel 'change of the score (root mean square)'
set logscale xy
set format xy '1e%T'
set xrange [1:1e6]
set yrange [1e-16:1e5]
set key left center
plot data.'/ch3-shift.tsv' skip 1 using 1:4 with linespoints linetype 2 title 'rotated by the square of the position', \
     '' skip 1 using 1:3 with linespoints linetype 3 title 'sinusoidal encoding added', \
     '' skip 1 using 1:2 with linespoints linetype 1 title 'RoPE (float64; what is left is rounding)'
