# The four terms of a score, query and key three positions apart and both shifted: above before, below after W_q, W_k.
set multiplot layout 2,1 title 'Two tokens move on together: after W_q and W_k three of four terms move'
set xrange [0:200]
set ylabel 'before W_q, W_k'
set key at graph 0.99, 0.84 horizontal maxcols 2
plot data.'/ch1-terms.tsv' skip 1 using 1:5 with linespoints linetype 4 pointinterval 20 title 'position . position', \
     '' skip 1 using 1:2 with linespoints linetype 1 pointinterval 20 title 'content . content', \
     '' skip 1 using 1:3 with linespoints linetype 2 pointinterval 20 title 'content . position', \
     '' skip 1 using 1:4 with linespoints linetype 3 pointinterval 20 title 'position . content'
set xlabel 'shift of both positions (tokens)'
set ylabel 'after W_q, W_k'
unset key
plot data.'/ch1-terms.tsv' skip 1 using 1:9 with linespoints linetype 4 pointinterval 20, \
     '' skip 1 using 1:6 with linespoints linetype 1 pointinterval 20, \
     '' skip 1 using 1:7 with linespoints linetype 2 pointinterval 20, \
     '' skip 1 using 1:8 with linespoints linetype 3 pointinterval 20
unset multiplot
