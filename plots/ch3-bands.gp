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
    # No colours in characters: a sign where the value is clearly positive or negative. A line of characters for a pair
    # (of more than 32, for every second, third, ...), a column for a position.
    stats data.'/ch3-bands.tsv' skip 1 using 1 name 'P' nooutput
    stats data.'/ch3-bands.tsv' skip 1 using 2 name 'I' nooutput
    columns = int(P_max) + 2
    every = int(I_max) / 32 + 1
    lines = int(I_max) / every + 2
    set terminal dumb 79, lines + 7 noenhanced
    set lmargin at screen 8.0 / 78
    set rmargin at screen (8.0 + columns) / 78
    set bmargin at screen 4.0 / (lines + 6)
    set tmargin at screen (lines + 4.0) / (lines + 6)
    set xrange [-1:columns - 1]
    set yrange [every * (lines - 1):-every]
    set xtics 0, 10
    set ytics 0, 5 * every
    set xlabel 'right: position; down: pair i; cosine: + above 0.4, - below -0.4'
    unset colorbox
    shown(pair, value) = int(pair) % every == 0 && value ? pair : NaN
    plot data.'/ch3-bands.tsv' skip 1 using 1:(shown($2, $3 > 0.4)) with points pointtype '+', \
         '' skip 1 using 1:(shown($2, $3 < -0.4)) with points pointtype '-'
} else {
    plot data.'/ch3-bands.tsv' skip 1 using 1:2:3 with image pixels
}
