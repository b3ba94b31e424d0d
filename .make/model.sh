#!/bin/sh
# Downloads Qwen2.5-0.5B-Instruct into models/ and checks it. Interrupted, it resumes where it stopped; a file appears
# under its own name only when it is whole.
# usage: model.sh [FOLDER]
#
# environment  HF_ENDPOINT  another server with the same layout (default https://huggingface.co)
#              MODEL_REPOSITORY, MODEL_REVISION, MODEL_SHA256  another model; its model.safetensors' checksum
set -u
endpoint=${HF_ENDPOINT:-https://huggingface.co}
repository=${MODEL_REPOSITORY:-Qwen/Qwen2.5-0.5B-Instruct}
revision=${MODEL_REVISION:-7ae557604adf67be50417f59c2c2f167def9a775}
sha256=${MODEL_SHA256:-fdf756fa7fcbe7404d5c60e26bff1a0c8b8aa1f72ced49e7dd0210fe288fb7fe}
folder=${1:-models/${repository##*/}}

fail() {
    echo "model: $1" >&2
    exit 1
}

command -v curl >/dev/null 2>&1 || fail 'curl is not installed; "make deps" installs it'
if command -v sha256sum >/dev/null 2>&1; then
    checksum() { sha256sum "$1" | cut -d ' ' -f 1; }
elif command -v shasum >/dev/null 2>&1; then
    checksum() { shasum -a 256 "$1" | cut -d ' ' -f 1; }
else
    fail 'neither sha256sum nor shasum is here: the download could not be checked'
fi
mkdir -p "$folder" || fail "$folder: cannot be made"

get() { # get FILE: into FILE.part, then renamed
    [ -f "$folder/$1" ] && return 0
    url=$endpoint/$repository/resolve/$revision/$1
    echo "model: $url"
    bar=--silent
    [ -t 2 ] && bar=--progress-bar
    curl --fail --location --show-error $bar --retry 3 --continue-at - --output "$folder/$1.part" "$url"
    code=$?
    # 22 with 416: the part is already whole (a server refuses to continue at the end of the file).
    if [ $code -eq 22 ] && [ -s "$folder/$1.part" ] && is_whole "$url" "$folder/$1.part"; then code=0; fi
    [ $code -eq 0 ] || fail "$1: download failed (curl exit $code); run again to continue, what arrived is kept"
    [ "$1" = model.safetensors ] || mv "$folder/$1.part" "$folder/$1"
}

is_whole() { # is_whole URL FILE: the server's size is the file's
    expected=$(curl --silent --fail --location --head "$1" | tr -d '\r' |
        awk 'tolower($1) == "content-length:" { size = $2 } END { print size }')
    [ "$expected" = "$(wc -c <"$2" | tr -d ' ')" ]
}

for file in config.json generation_config.json tokenizer_config.json tokenizer.json; do
    get "$file"
done
weights=$folder/model.safetensors
if [ -f "$weights" ]; then
    found=$(checksum "$weights")
    [ "$found" = "$sha256" ] || fail "$weights: SHA-256 is $found, expected $sha256; remove the file and run again"
else
    get model.safetensors
    found=$(checksum "$weights.part")
    if [ "$found" != "$sha256" ]; then
        rm -f "$weights.part"
        fail "model.safetensors: SHA-256 is $found, expected $sha256; the download was damaged and has been removed"
    fi
    mv "$weights.part" "$weights" || fail "$weights: cannot be renamed"
fi
echo "model: $folder is complete. Try: ./chapter6 --model $folder --chat"
