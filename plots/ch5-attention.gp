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
    # No colours in characters: the weight in tenths, a dot where it rounds to 0. Two columns of characters for a key,
    # one line for a query.
    unset colorbox
    columns = 2 * heads * wide + 7
    if (columns < 79) { columns = 79 }
    lines = keys + 9
    set terminal dumb columns, lines noenhanced
    set lmargin at screen 6.0 / (columns - 1)
    set rmargin at screen (4.0 + 2 * heads * wide) / (columns - 1)
    set bmargin at screen 4.0 / (lines - 1)
    set tmargin at screen (keys + 6.0) / (lines - 1)
    set xrange [-1:heads * wide - 2]
    set yrange [keys:-2]
    set ytics 0, keys > 12 ? 4 : 1, keys - 1
    set xlabel 'key; each cell: weight in tenths (5 is 0.5, * is 1, . is below 0.05)'
    tenths(w) = w < 0.05 ? '.' : w < 0.95 ? sprintf('%.0f', 10 * w) : '*'
    plot data.'/ch5-attention.tsv' skip 1 using ($3 + $1 * wide):($3 > $2 ? NaN : $2):(tenths($4)) with labels
} else {
    plot data.'/ch5-attention.tsv' skip 1 using ($3 + $1 * wide):($3 > $2 ? NaN : $2):(0.48):(0.48):4 \
         with boxxyerror fillstyle solid 1 border linecolor rgb '#c0c0c0' linecolor palette
}
