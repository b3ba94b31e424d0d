# The loss while training: lines are means over the seeds, bands reach from the lowest seed to the highest.
file = data.'/ch4-curves.tsv'
is(target, layer) = strcol(1) eq target && strcol(2) eq layer
# Four of the seven layers, so that the bands can be told apart.
layers = 'ReLU SiLU bilinear SwiGLU'
stats file using 3 nooutput
set xrange [0:STATS_max]
set xtics STATS_max / 2.0
# The targets that the file has: --target leaves only one.
targets = ''
note(target) = (targets = target eq 'target' || strstrt(targets, target) ? targets : targets.' '.target, 0)
stats file using (note(strcol(1))):3 nooutput
set style fill transparent solid 0.15 noborder
set logscale y
set yrange [1e-6:10]
set xlabel 'step'
set ylabel 'loss on unseen samples (share of the variance)'

if (output_kind eq 'dumb') {
    letters = 'R S b G'
    set format y '%g'
    set key bottom left
    set title 'Target: '.word(targets, 1)
    plot for [i=1:4] file using (is(word(targets, 1), word(layers, i)) ? $3 : NaN):4 \
        with points pointtype word(letters, i) title word(layers, i).' ('.word(letters, i).')'
} else {
    set multiplot layout 1,words(targets) margins 0.14,0.97,0.12,0.92 spacing 0.03
    set format y '%.0e'
    do for [target in targets] {
        set title target
        if (target ne word(targets, 1)) { set format y ''; unset ylabel }
        if (target eq word(targets, words(targets) / 2 + 1)) { set key bottom left Left reverse } else { unset key }
        plot for [i=1:4] file using (is(target, word(layers, i)) ? $3 : NaN):6:7 \
                 with filledcurves linetype i notitle, \
             for [i=1:4] file using (is(target, word(layers, i)) ? $3 : NaN):4 \
                 with linespoints linetype i pointinterval 4 pointsize 0.7 title word(layers, i)
    }
    unset multiplot
}
