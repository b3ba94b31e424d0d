# The dot product of two rows against their distance, from two places, without and with projections.
set title 'Rows know their distance; after W_q and W_k they no longer do'
set xlabel 'distance between the two positions (tokens)'
set ylabel 'dot product of the two rows'
set key top right
if (output_kind eq 'dumb') { set key outside bottom center horizontal }
plot data.'/ch1-similarity.tsv' skip 1 using 1:2 with lines linetype 1 title 'rows, from position 1000', \
     data.'/ch1-similarity.tsv' skip 1 using 1:3 every 8::4 with points linetype 2 title 'rows, from position 4000', \
     data.'/ch1-similarity.tsv' skip 1 using 1:4 with linespoints linetype 3 pointinterval 10 title 'projected, from 1000', \
     data.'/ch1-similarity.tsv' skip 1 using 1:5 with linespoints linetype 4 pointinterval 10 title 'projected, from 4000'
