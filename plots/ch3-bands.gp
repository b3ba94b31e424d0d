# cos(position * theta_i): what each pair sees of a position.
set title 'Fast pairs tell neighbours apart, slow pairs hardly move'
set xlabel 'position (tokens)'
set ylabel 'pair i (0 turns fastest)'
set cblabel 'cos(position * theta_i)'
set xrange [-0.5:*] noextend
set yrange [*:*] reverse noextend
set key off
unset grid
eval diverging
if (output_kind eq 'dumb') {
    # No colours in characters: a sign where the value is clearly positive or negative.
    unset colorbox
    plot data.'/ch3-bands.tsv' skip 1 using 1:($3 > 0.4 ? $2 : NaN) with points pointtype '+', \
         '' skip 1 using 1:($3 < -0.4 ? $2 : NaN) with points pointtype '-'
} else {
    plot data.'/ch3-bands.tsv' skip 1 using 1:2:3 with image pixels
}
