# Perplexity of the held-out text with one part of the trained model broken at a time.
stats data.'/ch6-ablation.tsv' skip 1 using 2 every ::0::0 name 'whole' nooutput
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
if (output_kind eq 'dumb') {
    # A line for every bar, which is text here: as long as the axis says, and then its value.
    width = 36
    set terminal dumb 79,25 noenhanced
    set lmargin at screen 32.0 / 78
    set rmargin at screen (32.0 + width) / 78
    set bmargin at screen 4.0 / 24
    set tmargin at screen 22.0 / 24
    set yrange [17:-1]
    stars = '************************************'
    length(p) = int(width * log10(p / 5) / log10(100000.0 / 5) + 0.5)
    number(p) = sprintf(p < 1000 ? '%.2f' : '%.0f', p)
    plot data.'/ch6-ablation.tsv' skip 1 using (5):0:(substr(stars, 1, length($2)).' '.number($2)):ytic(1) \
        with labels left offset 1, 0
} else {
    set label 1 "nothing broken" at whole_min * 1.6, -1.2 left
    set arrow 1 from whole_min, graph 0 to whole_min, graph 1 nohead linetype 2 front
    plot data.'/ch6-ablation.tsv' skip 1 using (5):0:(5):2:($0 - 0.35):($0 + 0.35):ytic(1) with boxxyerror \
             linetype 1, \
         '' skip 1 using ($2 * 1.15):0:(sprintf($2 < 1000 ? "%.2f" : "%.0f", $2)) with labels left
}
