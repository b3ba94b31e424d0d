# One pair of neighbours after 0 to 1000 other tokens: its score above, its weight below.
set multiplot layout 2, 1 title 'After a longer prefix the score of a pair stays, its weight does not'
set lmargin 11
set rmargin 4
set logscale x
set xrange [2:1002]
set yrange [-2:1]
set ylabel 'score'
set xlabel ''
set key top right
plot data.'/ch5-prefix.tsv' skip 1 using 2:3 with linespoints linetype 1 title 'q . k / sqrt(head_dim)'
set logscale y
set yrange [*:1]
set format y '%g'
set ylabel 'attention weight'
set xlabel 'keys in sight (prefix + the pair)'
plot data.'/ch5-prefix.tsv' skip 1 using 2:4 with linespoints linetype 2 title 'weight of the pair', \
     '' skip 1 using 2:5 with lines linetype 7 title '1 / keys: all keys alike'
unset multiplot
