# What becomes of a cosine when its angle was computed in a narrower type.
set title 'Round the cosine, not the angle: errors grow with the position'
set xlabel 'position (tokens)'
set ylabel 'largest error of a cosine over all pairs'
set logscale xy
set format xy '1e%T'
set xrange [1:2e5]
set yrange [1e-9:1e4]
set key top left
plot data.'/ch3-angle-error.tsv' skip 1 using 1:5 with linespoints linetype 4 title 'position, frequency and angle in bfloat16', \
     '' skip 1 using 1:4 with linespoints linetype 2 title 'frequency in bfloat16', \
     '' skip 1 using 1:3 with linespoints linetype 3 title 'angle in float32 (Hugging Face)', \
     '' skip 1 using 1:2 with linespoints linetype 1 title 'float64, only the cosine rounded to float32'
