#!/bin/sh
# Holds every #include to the syllabus: a module or chapter may use what its own chapter or an earlier one introduced.
# usage: BUILD=… layers.sh CHAPTER:MODULE…   (reads the .d files that the compiler wrote)
set -u
find "$BUILD/common" "$BUILD/chapters" -name '*.d' | sort | awk -v table="$*" '
    BEGIN {
        n = split(table, pairs, " ")
        for (i = 1; i <= n; i++) {
            split(pairs[i], pair, ":")
            level[pair[2]] = pair[1]
        }
    }
    {
        user = $0
        sub(/\.d$/, "", user)
        if (match(user, /chapters\/0[1-6]/)) {
            own = substr(user, RSTART + RLENGTH - 1, 1)
        } else {
            name = user
            sub(/.*\//, "", name)
            own = level[name]
        }
        if (own == "") {
            print user ": is in no chapter of the syllabus"
            bad++
        }
        file = $0
        while ((getline line < file) > 0) {
            m = split(line, words, /[ \t:\\]+/)
            for (i = 1; i <= m; i++) {
                if (words[i] !~ /^common\/.*\.h$/) continue
                header = words[i]
                sub(/^common\//, "", header)
                sub(/\.h$/, "", header)
                if (seen[user, header]++) continue
                checked++
                if (level[header] == "") {
                    print user ": includes common/" header ".h, which is in no chapter of the syllabus"
                    bad++
                } else if (level[header] > own) {
                    print user ": chapter " own " includes common/" header ".h, introduced in chapter " level[header]
                    bad++
                }
            }
        }
        close(file)
    }
    END {
        if (checked == 0) { print "no dependency files: build first"; exit 1 }
        printf "layers: %d includes checked, %d out of order\n", checked, bad
        exit bad > 0
    }'
