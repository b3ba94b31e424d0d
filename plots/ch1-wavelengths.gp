# Wavelengths grow by the same factor from pair to pair, past the training length.
set title 'One wave per pair: the slow ones make no full turn while training'
set xlabel 'pair i'
set ylabel 'wavelength (positions)'
set logscale y
set xrange [*:*] noextend
set key top left
plot data.'/ch1-wavelengths.tsv' skip 1 using 1:3 with linespoints linetype 1 pointinterval 16 title '2 pi / frequency_i', \
     data.'/ch1-wavelengths.tsv' skip 1 using 1:4 with lines linetype 2 title 'training length (max_len)'
