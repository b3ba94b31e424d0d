# How many students did what, by exercise: a stacked bar each.
set style data histograms
set style histogram rowstacked
set style fill solid 0.8 border -1
set boxwidth 0.8
set title 'What the class did' noenhanced
set ylabel 'students'
set xlabel 'exercise'
set xtics rotate by 90 right
set key outside top center horizontal
set yrange [0:*]
plot data.'/class.tsv' using 'done':xtic(1) title 'done' linetype 3, \
     '' using 'failed' title 'tried, not yet right' linetype 2, \
     '' using 'open' title 'not started or missing' linecolor rgb '#c0c0c0'
