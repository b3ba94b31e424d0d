# style.gp: the look of every figure. Loaded before each plots/<figure>.gp:
#
#     gnuplot -e "data='build/data'; output_kind='svg'; output_file='x.svg'" plots/style.gp plots/ch3-bands.gp
#
# data         folder of the .tsv files that the figure reads
# output_kind  svg, png, dumb (characters in the terminal) or window
# output_file  for svg and png
#
# Only options that every build of these terminals knows; no named font. Text that comes from file or column names is
# drawn as it stands (noenhanced): val_loss keeps its underscore.

if (!exists("output_kind")) output_kind = 'dumb'
if (output_kind eq 'svg') { set terminal svg size 800,500 noenhanced background rgb 'white'; set output output_file }
if (output_kind eq 'png') { set terminal png size 800,500 noenhanced; set output output_file }
if (output_kind eq 'dumb') { set terminal dumb 79,24 noenhanced }
# window: gnuplot's own default terminal; a gnuplot built without any draws in characters
if (output_kind eq 'window' && GPVAL_TERM eq 'unknown') { output_kind = 'dumb'; set terminal dumb 79,24 noenhanced }

set datafile separator tab
set datafile missing NaN
set key noenhanced
set border 3 linewidth 1 linecolor rgb '#404040'
set tics nomirror out
# In characters a grid would be drawn with the same stars as the curves.
if (output_kind ne 'dumb') { set grid linetype 1 linecolor rgb '#e0e0e0' }
set key top right spacing 1.2

# Colours of Okabe and Ito (2008), told apart by colour-blind readers; dash and marker differ as well as colour.
set linetype 1 linecolor rgb '#0072b2' linewidth 2 dashtype 1 pointtype 7
set linetype 2 linecolor rgb '#d55e00' linewidth 2 dashtype 2 pointtype 5
set linetype 3 linecolor rgb '#009e73' linewidth 2 dashtype 4 pointtype 9
set linetype 4 linecolor rgb '#cc79a7' linewidth 2 dashtype 5 pointtype 13
set linetype 5 linecolor rgb '#e69f00' linewidth 2 dashtype 3 pointtype 11
set linetype 6 linecolor rgb '#56b4e9' linewidth 2 dashtype (12,3,3,3) pointtype 6
set linetype 7 linecolor rgb '#000000' linewidth 2 dashtype (2,4) pointtype 4
set linetype cycle 7

# Heat maps of values from -1 to 1 (blue, white, orange) and from 0 to 1 (white to blue).
# Draw them "with image pixels": a plain image is smoothed by browsers, and single values are no longer seen.
diverging  = "set palette defined (-1 '#0072b2', 0 '#ffffff', 1 '#d55e00'); set cbrange [-1:1]"
sequential = "set palette defined (0 '#ffffff', 1 '#0072b2'); set cbrange [0:1]"
