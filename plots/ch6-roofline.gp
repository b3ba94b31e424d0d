# What the machine could do, and what the model does: arithmetic against the bytes that it needs.
# bench, steps: the tables that "make bench" and "make bench-steps" write; without them those kept with the chapter.
if (!exists("bench")) bench = 'chapters/06-qwen2.5/measured/bench.tsv'
if (!exists("steps")) steps = 'chapters/06-qwen2.5/measured/bench-steps.tsv'

# The number in a column of the line with this name; NaN: it was not measured.
cell(file, name, column) = real(system(sprintf( \
    "awk -F '\t' -v n='%s' -v c=%d '$1 == n && $c != \"-\" { print $c; found = 1 } END { if (!found) print \"NaN\" }' %s", \
    name, column, file)))
measured(name) = cell(bench, name, 2)
rung(name) = cell(steps, name, 4)

# Qwen2.5-0.5B: weights of the layers and of the head, in millions. Each takes two bytes and, for a token, two operations.
layers = 24 * (1152 * 896 + 896 * 896 + 9728 * 896 + 896 * 4864) * 1e-6
head = 151936 * 896 * 1e-6
# Operations for a byte: n sequences that decode; a prompt of n tokens, of which the head sees the last.
decode(n) = n
prefill(n) = (layers * n + head) / (layers + head)
# tokens/s as GFLOP/s
of_tokens(n) = n * 2e-3 * (layers + head)

read_1 = measured('roof.read.1')
read_all = measured('roof.read.all')
fma_1 = measured('roof.fma.1')
fma_all = measured('roof.fma.all')
# Two terms an activation: twice the work of the bfloat16 roof. Drawn where the default kernel has it.
amx = measured('prefill.512.two') > 0
bf16_all = amx ? measured('roof.bf16.all') / 2 : NaN
least(a, b) = a < b ? a : b

$batches << EOD
2
4
8
16
32
EOD
$prompts << EOD
64
512
4096
EOD
array batch[32]
do for [n in "2 4 8 16 32"] { batch[n + 0] = of_tokens(measured('decode.batch'.n)) }
array prompt[4096]
do for [n in "64 512 4096"] { prompt[n + 0] = measured('prefill.'.n) }
decode_steps = "plain sums vectors prefetch kernel threads huge"
prefill_steps = "plain sums vectors tiles panels threads"
set print $ladder
do for [name in decode_steps] { print sprintf("1\t%g", rung('decode.'.name)) }
print ""
do for [name in prefill_steps] { print sprintf("512\t%g", rung('prefill.'.name)) }
set print

set title "One sequence is bound by memory (the slope), a prompt by arithmetic (the flat roof)"
set xlabel "operations for each byte of weights that is read"
set ylabel "speed (GFLOP/s)"
set logscale xy
set xrange [0.6:16384]
set yrange [0.4:*]
set xtics (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096)
set format y "%g"
set samples 2000
set key at 470, 8 spacing 1.15 samplen 2
set label 1 sprintf("all threads: %.0f GFLOP/s", fma_all) at 16000, fma_all * 1.25 right
set label 2 sprintf("one thread: %.0f GFLOP/s", fma_1) at 16000, fma_1 * 1.25 right
set label 3 sprintf("%.0f GB/s", read_all) at 2, read_all * 3.2 right
set label 4 sprintf("one thread: %.0f GB/s", read_1) at 3.2, read_1 * 2.1
set label 11 "plain loop" at 1.2, rung('decode.plain')
set label 12 "plain C" at 1.2, rung('decode.sums')
set label 13 "vectors, prefetch, threads, 2 MB pages" at 1.2, rung('decode.vectors') * 0.72
set label 21 "plain loop" at 610, rung('prefill.plain')
set label 22 "plain C" at 610, rung('prefill.sums')
set label 23 "vectors" at 610, rung('prefill.vectors')
set label 24 "tiles, panels" at 610, rung('prefill.tiles') * 0.9
plot least(read_all * x, fma_all) linetype 7 dashtype 1 linewidth 2 title "roof of all threads", \
     least(read_1 * x, fma_1) linetype 7 dashtype 2 linewidth 1 title "roof of one thread", \
     bf16_all linetype 6 linewidth 2 title amx ? "roof of bfloat16, two terms" : "", \
     $ladder using 1:2 with linespoints linetype 7 dashtype 3 linewidth 1 linecolor rgb '#808080' pointtype 2 pointsize 0.8 \
         title "the steps from the plain loop", \
     '+' using (decode(1)):(measured('decode.0')) with points linetype 1 pointsize 1.8 title "decode, one sequence", \
     $batches using (decode($1)):(batch[int($1)]) with points linetype 2 pointsize 1.6 title "decode, 2 to 32 sequences", \
     $prompts using (prefill($1)):(prompt[int($1)]) with points linetype 3 pointsize 1.8 title "prefill, 64 to 4096 tokens"
