# Perplexity of the held-out text with one part of the trained model broken at a time.
stats data.'/ch6-ablation.tsv' skip 1 using 2 every ::0::0 name 'whole' nooutput
if (output_kind eq 'dumb') set terminal dumb 79,44 noenhanced # a line for every bar
set title "What every part of the trained model is worth"
set xlabel "perplexity of held-out text (log scale)"
set ylabel "what is broken" offset -1
set logscale x
set xrange [5:100000]
set yrange [16.7:-1.8]
set key off
set style fill solid 0.6 noborder
set lmargin 34
set ytics out
set grid noytics
set label 1 "nothing broken" at whole_min * 1.6, -1.2 left
set arrow 1 from whole_min, graph 0 to whole_min, graph 1 nohead linetype 2 front
plot data.'/ch6-ablation.tsv' skip 1 using (5):0:(5):2:($0 - 0.35):($0 + 0.35):ytic(1) with boxxyerror linetype 1, \
     '' skip 1 using ($2 * 1.15):0:(sprintf($2 < 1000 ? "%.2f" : "%.0f", $2)) with labels left
