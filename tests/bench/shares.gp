# shares.gp: the share of its roof that each line of build/bench.tsv reaches. Drawn by tests/bench/shares.sh, which gives
# data, a file of name, share, the same in % and the value, a line each.
set style fill solid 0.8 border
set boxwidth 0.7
set xrange [0:120]
set xlabel 'share of the roof beside it [%]'
set yrange [*:*] reverse
set ytics out
set grid noytics
set lmargin 24
set rmargin 18
unset key
set arrow 1 from 100, graph 0 to 100, graph 1 nohead linecolor rgb '#404040' linewidth 1.5
set label 1 'roof' at 100, graph 1.03 center
plot data using ($2 * 50):0:($2 * 50):(0.35):ytic(1) with boxxyerror linetype 1, \
     data using (100 * $2 - 1):0:3 with labels right textcolor rgb 'white' notitle, \
     data using (120):0:4 with labels left offset 1,0 notitle
