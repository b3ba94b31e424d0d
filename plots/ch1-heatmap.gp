# The encoding as a picture: fast waves on the left, almost still ones on the right.
set title 'Each position has its own row: fast waves on the left, slow ones on the right'
set xlabel 'element of the row (16 pairs from first to last, each sine beside its cosine)'
set ylabel 'position (tokens)'
set cblabel 'value'
set xrange [-0.5:*] noextend
set yrange [47.5:-0.5]
set key off
unset grid
eval diverging
if (output_kind eq 'dumb') {
    # No colours in characters: a sign where the value is clearly positive or negative. A line of characters for every
    # second position, two columns for an element.
    set yrange [*:*]
    stats data.'/ch1-heatmap.tsv' skip 1 using 2 name 'E' nooutput
    elements = int(E_max) + 1
    set terminal dumb 79,32 noenhanced
    set lmargin at screen 9.0 / 78
    set rmargin at screen (11.0 + 2 * elements) / 78
    set bmargin at screen 5.0 / 31
    set tmargin at screen 29.0 / 31
    set xrange [-1:elements]
    set yrange [48:0]
    set ytics 0, 8, 46
    set xlabel 'right: element (sine, cosine, ...); down: position; + above 0.4, - below -0.4'
    unset colorbox
    second(position, value) = int(position) % 2 == 0 && value ? position : NaN
    plot data.'/ch1-heatmap.tsv' skip 1 using 2:(second($1, $4 > 0.4)):xtic(int($2) % 4 == 0 ? strcol(3) : '') \
             with points pointtype '+', \
         '' skip 1 using 2:(second($1, $4 < -0.4)) with points pointtype '-'
} else {
    plot data.'/ch1-heatmap.tsv' skip 1 using 2:1:4:xtic(int($2) % 4 == 0 ? strcol(3) : '') with image pixels
}
