# Length of the residual stream's vectors after every layer.
set title "Every layer adds to the residual stream"
set xlabel "after layer (0: the embedding)"
set ylabel "norm of the token's vector"
set xtics 1
set yrange [0:*]
set key top left
plot data.'/ch6-norms.tsv' skip 1 using 1:2 with linespoints linetype 1 title "first token", \
     '' skip 1 using 1:3 with linespoints linetype 2 title "the other tokens, mean"
