# Tokens a turn of every pair, for the theta of RoFormer and of Qwen2.5.
set title 'A larger theta leaves more pairs that never come round within the context'
set xlabel 'pair i'
set ylabel 'tokens for one turn'
set logscale y
set yrange [1:*]
set format y '%.0f'
set key top left
set arrow from graph 0, first 4096 to graph 1, first 4096 nohead linetype 7 linewidth 1
set arrow from graph 0, first 32768 to graph 1, first 32768 nohead linetype 7 linewidth 1
set label 'context of 4096 tokens' at graph 0.98, first 4096 right offset 0, -0.7
set label 'context of 32768 tokens' at graph 0.02, first 32768 left offset 0, 0.7
plot data.'/ch3-wavelengths.tsv' skip 1 using 2:($1 == 10000 ? $4 : NaN) with linespoints linetype 1 \
         title 'theta = 10000', \
     '' skip 1 using 2:($1 == 1000000 ? $4 : NaN) with linespoints linetype 2 title 'theta = 1000000'
