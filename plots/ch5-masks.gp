# Six masks on eight keys, three by three.
column_of(m) = 11 * (int(m) % 3)
row_of(m) = 11 * (int(m) / 3)
names = "'all ones' 'causal' 'left padding of 3' 'packed 3 + 5' 'piece of 3 after 5' 'decode: 1 after 7'"
set title 'Prefill, padding, packing, pieces and decoding: one function, another mask'
set xlabel 'key (8 slots)'
set ylabel 'query (down)'
set xrange [-0.7:29.7]
set yrange [18.7:-1.8]
set key off
unset grid
unset tics
set border 0
do for [m = 0:5] { set label m + 1 word(names, m + 1) at column_of(m) + 3.5, row_of(m) - 1.2 center }
if (output_kind eq 'dumb') {
    # One line of characters for a query, two columns for a key.
    set terminal dumb 79,26 noenhanced
    set lmargin at screen 9.0 / 78
    set rmargin at screen 69.0 / 78
    set tmargin at screen 23.0 / 25
    set bmargin at screen 3.0 / 25
    set xrange [-0.5:29.5]
    set yrange [18.5:-1.5]
    set xlabel 'key (8 slots); # is 1: seen, . is 0: hidden'
    plot data.'/ch5-masks.tsv' skip 1 using ($4 + column_of($1)):($3 + row_of($1)):($5 == 1 ? '#' : '.') with labels
} else {
    set key outside bottom right horizontal
    plot data.'/ch5-masks.tsv' skip 1 using ($4 + column_of($1)):($5 == 1 ? $3 + row_of($1) : NaN):(0.45):(0.45) \
         with boxxyerror fillstyle solid 1 border linecolor rgb 'white' linecolor rgb '#0072b2' title '1: seen', \
         '' skip 1 using ($4 + column_of($1)):($5 == 0 ? $3 + row_of($1) : NaN):(0.45):(0.45) \
         with boxxyerror fillstyle empty linecolor rgb '#808080' linewidth 1 title '0: hidden'
}
