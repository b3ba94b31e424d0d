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
    # No colours in characters: a sign where the value is clearly positive or negative.
    unset colorbox
    plot data.'/ch1-heatmap.tsv' skip 1 using 2:($4 > 0.4 ? $1 : NaN):xtic(int($2) % 4 == 0 ? strcol(3) : '') \
             with points pointtype '+', \
         '' skip 1 using 2:($4 < -0.4 ? $1 : NaN) with points pointtype '-'
} else {
    plot data.'/ch1-heatmap.tsv' skip 1 using 2:1:4:xtic(int($2) % 4 == 0 ? strcol(3) : '') with image pixels
}
