# The loss after the last step, all layers and targets: no layer is lowest everywhere.
file = data.'/ch4-curves.tsv'
# The targets that the file has: --target leaves only one.
targets = ''
note(target) = (targets = target eq 'target' || strstrt(targets, target) ? targets : targets.' '.target, 0)
stats file using (note(strcol(1))):3 nooutput
last = STATS_max_y
layers = 'ReLU GELU SiLU bilinear GLU GEGLU SwiGLU'
place(layer) = sum [i=1:7] (word(layers, i) eq layer ? i : 0)
final(target) = strcol(1) eq target && $3 == last
set logscale y
set format y '%.0e'
set xrange [0.5:7.5]
set xtics ('ReLU' 1, 'GELU' 2, 'SiLU' 3, 'bilinear' 4, 'GLU' 5, 'GEGLU' 6, 'SwiGLU' 7)
set xlabel 'layer'
set label 'without a gate' at 2, graph 0.03 center
set label 'with a gate' at 5.7, graph 0.03 center
set ylabel 'final loss (share of the variance; mean, range of seeds)'
set arrow from 3.5, graph 0 to 3.5, graph 1 nohead linetype 7
set key outside top center horizontal maxrows 1
plot for [i=1:words(targets)] file using (final(word(targets, i)) ? place(strcol(2)) + 0.15 * (i - 2) : NaN):4:6:7 \
    with yerrorbars linetype i pointsize 1.3 title word(targets, i)
