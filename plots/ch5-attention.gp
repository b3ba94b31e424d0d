# The attention weights of every head: a row for each query, a column for each key.
stats data.'/ch5-attention.tsv' skip 1 using 1 name 'H' nooutput
stats data.'/ch5-attention.tsv' skip 1 using 3 name 'K' nooutput
heads = int(H_max) + 1
keys = int(K_max) + 1
wide = keys + 1 # one empty column between two heads
set title 'Same tokens, same mask: each head weighs the past in its own way'
set ylabel 'query (position)'
set xlabel 'key (position 0 at the left of each head)'
set xrange [-1:heads * wide - 1.5]
set yrange [keys - 0.5:-1.6]
set cblabel 'attention weight'
set key off
unset grid
unset xtics
set ytics 0, keys > 12 ? 4 : 1
set border 2
do for [h = 0:heads - 1] { set label h + 1 sprintf('head %d', h) at h * wide + (keys - 1) / 2.0, -1 center }
eval sequential
if (output_kind eq 'dumb') {
    # No colours in characters: the weight in tenths, a dot where it rounds to 0.
    unset colorbox
    tenths(w) = w < 0.05 ? '.' : sprintf('%.0f', 10 * w)
    plot data.'/ch5-attention.tsv' skip 1 using ($3 + $1 * wide):($3 > $2 ? NaN : $2):(tenths($4)) with labels
} else {
    plot data.'/ch5-attention.tsv' skip 1 using ($3 + $1 * wide):($3 > $2 ? NaN : $2):(0.48):(0.48):4 \
         with boxxyerror fillstyle solid 1 border linecolor rgb '#c0c0c0' linecolor palette
}
