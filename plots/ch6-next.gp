# The most likely next tokens after the prompt, as the model gives them and as the sampler draws them.
if (output_kind eq 'dumb') set terminal dumb 79,48 noenhanced # a line for every bar
set title "A few tokens hold nearly all the probability; the sampler keeps fewer still"
set xlabel "probability of the next token (log scale)"
set ylabel "token, most likely first"
set logscale x
set xrange [0.0005:1]
set yrange [20.5:0.5]
set key bottom right
set style fill solid 0.6 noborder
set grid noytics
set boxwidth 0.35
set ytics out
# Horizontal bars: a box from x 0 to the probability, y half a row high.
plot data.'/ch6-next.tsv' skip 1 using (0.0005):($1 - 0.18):(0.0005):4:($1 - 0.36):1:ytic(3) with boxxyerror \
         linetype 1 title "softmax of the logits", \
     '' skip 1 using (0.0005):($1 + 0.18):(0.0005):($5 > 0 ? $5 : NaN):1:($1 + 0.36) with boxxyerror \
         linetype 2 title "after temperature, top-k and top-p"
