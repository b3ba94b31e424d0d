#!/bin/sh
# Prints chapters/06-qwen2.5/where-the-time-goes.md with its measured blocks made anew from the tables that are kept beside it.
# usage: page.sh     (in the top folder)
set -u
export LC_ALL=C.UTF-8
chapter=chapters/06-qwen2.5
kept=$chapter/measured
awk -F '\t' -v machine="$(cat $kept/machine.txt)" '
    function has(name) { return name in value }
    function number(x) { return sprintf(x < 10 ? "%.2f" : x < 100 ? "%.1f" : "%.0f", x) }
    function percent(x) { return sprintf(x < 0.01 ? "%.1f %%" : "%.0f %%", 100 * x) }

    function roofs() {
        print "Measured on: " machine ".\n"
        print "| roof | one thread | all threads |\n|---|---|---|"
        printf "| reading memory, pages of 4 kB | %s GB/s | %s GB/s |\n", number(value["roof.read.1"]), number(value["roof.read.all"])
        if (has("roof.read.huge.1"))
            printf "| reading memory, pages of 2 MB | %s GB/s | %s GB/s |\n", number(value["roof.read.huge.1"]), number(value["roof.read.huge.all"])
        printf "| multiplying float32 | %s GFLOP/s | %s GFLOP/s |\n", number(value["roof.fma.1"]), number(value["roof.fma.all"])
        if (has("roof.bf16.1"))
            printf "| multiplying bfloat16 | %s GFLOP/s | %s GFLOP/s |\n", number(value["roof.bf16.1"]), number(value["roof.bf16.all"])
        printf "| float32 operations in the time of one byte | %s | %s |\n", number(value["roof.fma.1"] / value["roof.read.1"]), number(value["roof.fma.all"] / value["roof.read.all"])
    }

    function algebra(    layer, layers, head, all) {
        layer = (896 + 2 * 128) * 896 + 896 * 896 + 2 * 4864 * 896 + 896 * 4864
        layers = 24 * layer
        head = 151936 * 896
        all = layers + head
        print "| | in numbers | |\n|---|---|---|"
        printf "| weights of a layer: Q, K, V; O; gate, up; down | 1152·896 + 896·896 + 9728·896 + 896·4864 | %.1f million |\n", layer / 1e6
        printf "| of 24 layers and the head | 24 · %.1f + 151936·896 | %.1f million |\n", layer / 1e6, all / 1e6
        printf "| bytes that a token reads | 2 for each | %.0f MB |\n", 2 * all / 1e6
        printf "| operations of a token | 2 for each | %.0f million |\n", 2 * all / 1e6
        printf "| so, decode: operations for a byte | | 1 |\n"
        printf "| prefill of 512 tokens: operations | 512 · 2 · %.1f million, and the head for the last | %.0f billion |\n", layers / 1e6, 2 * (512 * layers + head) / 1e9
        printf "| for a byte | divided by %.0f MB | %.0f |\n", 2 * all / 1e6, (512 * layers + head) / all
        printf "| KV cache of a token | 24 layers · 2 · 2 heads · 64 · 4 bytes | %d bytes |\n", 24 * 2 * 2 * 64 * 4
        printf "| read by decode at context 4096 | 4096 of them | %.0f MB |\n", 4096 * 24 * 2 * 2 * 64 * 4 / 1e6
        printf "| attention of the token at position $p$ | 24 · 4 · 896 · $p$ | as much as its products at %.0f |\n", 2 * layers / (24 * 4 * 896)
    }

    function ladder(prefix, unit,    i, name) {
        print "| step | ms | " unit " | gain | of the roof |\n|---|---|---|---|---|"
        for (i = 1; i <= n_steps; i++) {
            name = step[i]
            if (index(name, prefix) == 1)
                printf "| %s | %s | %s | %s | %s |\n", title[name], number(ms[name]), number(speed[name]), gain[name] == "-" ? "" : number(gain[name]), percent(share[name])
        }
    }

    function line(name, text) {
        if (has(name)) printf "| %s | %s %s | %s |\n", text, number(value[name]), unit[name], percent(ratio[name])
    }

    function whole() {
        print "| | speed | of the roof |\n|---|---|---|"
        line("decode.0.1thread", "decode, one thread")
        line("decode.0", "decode, all threads")
        line("decode.huge", "decode, all threads, pages of 2 MB")
        line("decode.1024", "decode at context 1024")
        line("decode.4096", "decode at context 4096")
        line("decode.batch8", "decode, 8 sequences together")
        line("decode.batch32", "decode, 32 sequences together")
        line("prefill.64", "prefill of 64 tokens")
        line("prefill.512.1thread", "prefill of 512, one thread")
        line("prefill.512", "prefill of 512, all threads")
        line("prefill.4096", "prefill of 4096")
        print ""
        print "The roof of decode is memory, of prefill arithmetic; of sequences together it is the lower of the two."
    }

    FILENAME ~ /bench\.tsv$/ && FNR > 1 { value[$1] = $2; unit[$1] = $3; ratio[$1] = $5 }
    FILENAME ~ /bench-steps\.tsv$/ && FNR > 1 {
        step[++n_steps] = $1
        title[$1] = $2; ms[$1] = $3; speed[$1] = $4; gain[$1] = $6; share[$1] = $8
    }
    FILENAME ~ /\.tsv$/ { next }
    /^<!-- end -->$/ { inside = 0 }
    !inside { print }
    /^<!-- measured: [a-z]+ -->$/ {
        split($0, words, " ")
        inside = 1
        print ""
        if (words[3] == "roofs") roofs()
        else if (words[3] == "algebra") algebra()
        else if (words[3] == "decode") ladder("decode.", "GB/s")
        else if (words[3] == "prefill") ladder("prefill.", "GFLOP/s")
        else if (words[3] == "whole") whole()
        print ""
    }
' $kept/bench.tsv $kept/bench-steps.tsv $chapter/where-the-time-goes.md
