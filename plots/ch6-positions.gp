# Loss by position of two checkpoints of the same model.
set title "RoPE alone does not extrapolate; training on long text does"
set xlabel "position in the text (tokens)"
set ylabel "mean loss (nats a token)"
set xrange [0:1024]
set yrange [2:5]
set xtics 128
set key top left
set arrow 1 from 320, graph 0 to 320, graph 0.55 nohead linetype 7
set label 1 "320 positions" at 330, 3.55
plot data.'/ch6-positions.tsv' skip 1 using ($1 + 32):2 with linespoints linetype 1 title "trained on positions 0 to 1023", \
     '' skip 1 using ($1 + 32):3 with linespoints linetype 2 title "trained on positions 0 to 319", \
     '' skip 1 using ($1 + 32):4 with linespoints linetype 3 title "the same weights, positions times 320/1024"
