# Every multiple of theta puts the point on the same circle.
set title 'Rotating moves a point along its circle: the length never changes'
set xlabel 'x'
set ylabel 'y'
set size ratio -1
set key center
if (output_kind eq 'dumb') { set key outside bottom center horizontal }
plot data.'/ch2-orbit.tsv' skip 1 using 2:3 with linespoints linetype 1 pointsize 0.6 title '1, 2, 3, ... times theta', \
     data.'/ch2-orbit.tsv' skip 1 every ::0::0 using 2:3 with points linetype 2 pointsize 1.8 title 'start'
