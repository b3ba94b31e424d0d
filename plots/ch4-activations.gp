# GELU and SiLU are ReLU with a soft, dipping corner; sigmoid is the only one that stays between 0 and 1.
set xlabel 'x'
set key top left
file = data.'/ch4-activations.tsv'
set xrange [-6:6]
if (output_kind eq 'dumb') {
    set title 'Activations'
    set yrange [-0.5:3]
    plot file using 1:2 every 8 with points pointtype 's' title 'sigmoid (s)', \
         file using 1:3 every 8 with points pointtype 'R' title 'ReLU (R)', \
         file using 1:4 every 8 with points pointtype 'G' title 'GELU (G)', \
         file using 1:6 every 8 with points pointtype 'S' title 'SiLU (S)'
} else {
    set multiplot layout 1,2
    set title 'Value'
    set ylabel 'activation of x'
    set yrange [-0.5:3]
    plot file using 1:2 with lines title 'sigmoid', \
         file using 1:3 with lines title 'ReLU', \
         file using 1:4 with lines title 'GELU', \
         file using 1:6 with lines title 'SiLU'
    set title 'Slope'
    set ylabel 'derivative'
    set yrange [-0.2:1.3]
    unset key
    plot file using 1:7 with lines title 'sigmoid', \
         file using 1:8 with lines title 'ReLU', \
         file using 1:9 with lines title 'GELU', \
         file using 1:11 with lines title 'SiLU'
    unset multiplot
}
