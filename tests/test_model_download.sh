#!/bin/sh
# make model against a server on the loopback interface: a whole download, one that is cut and resumed, a damaged one,
# a missing file, no server. Needs python3 and curl; without them it says so and passes nothing.
# usage: BUILD=… test_model_download.sh       last line: N passed, M failed
set -u
if ! command -v python3 >/dev/null 2>&1 || ! command -v curl >/dev/null 2>&1; then
    echo 'skipped: needs python3 and curl'
    exit 0
fi
folder=$BUILD/model-download
rm -rf "$folder"
served=$folder/served/Test/Tiny/resolve/abc
mkdir -p "$served"
for file in config.json generation_config.json tokenizer_config.json tokenizer.json; do
    echo "{\"file\": \"$file\"}" >"$served/$file"
done
head -c 300000 /dev/zero | tr '\0' 'w' >"$served/model.safetensors"
sum=$(python3 -c 'import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' \
    "$served/model.safetensors")

# A server that knows ranges (Python's own does not), on a free port that it writes down.
cat >"$folder/server.py" <<'PYTHON'
import http.server, os, sys, time
root, port_file = sys.argv[1:3]
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments): pass
    def do_HEAD(self): self.answer(False)
    def do_GET(self): self.answer(True)
    def answer(self, body):
        path = root + self.path
        if not os.path.isfile(path):
            return self.send_error(404)
        data = open(path, "rb").read()
        start, code = 0, 200
        if self.headers.get("Range"):
            start, code = int(self.headers["Range"][6:].split("-")[0]), 206
            if start >= len(data):
                return self.send_error(416)
        self.send_response(code)
        if code == 206:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        if body and len(data) > 100000 and os.path.exists(port_file[:-4] + "stop-in-the-middle"):
            self.wfile.write(data[start:150000])
            self.wfile.flush()
            time.sleep(3600)
        if body:
            self.wfile.write(data[start:])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
open(port_file + ".new", "w").write(str(server.server_port))
os.rename(port_file + ".new", port_file)
server.serve_forever()
PYTHON
python3 "$folder/server.py" "$folder/served" "$folder/port" &
server=$!
trap 'kill $server 2>/dev/null' EXIT
tries=0
while [ ! -f "$folder/port" ] && [ $tries -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
done

passed=0 failed=0
check() { # check NAME CONDITION…
    name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        cat "$folder/log"
    fi
}
download() { # download FOLDER SHA256
    HF_ENDPOINT=${endpoint-http://127.0.0.1:$(cat "$folder/port")} MODEL_REPOSITORY=Test/Tiny MODEL_REVISION=abc \
        MODEL_SHA256=$2 http_proxy='' no_proxy=127.0.0.1 sh .make/model.sh "$1" >"$folder/log" 2>&1
}
fails() { ! "$@"; }

check 'a whole download' download "$folder/a" "$sum"
check 'the weights arrived' cmp -s "$served/model.safetensors" "$folder/a/model.safetensors"
check 'the tokenizer arrived' cmp -s "$served/tokenizer.json" "$folder/a/tokenizer.json"
check 'a second run has nothing to do' download "$folder/a" "$sum"

mkdir -p "$folder/b"
head -c 100000 "$served/model.safetensors" >"$folder/b/model.safetensors.part"
check 'a cut download is resumed' download "$folder/b" "$sum"
check 'the resumed file is whole' cmp -s "$served/model.safetensors" "$folder/b/model.safetensors"

mkdir -p "$folder/c"
cp "$served/model.safetensors" "$folder/c/model.safetensors.part"
check 'a part that is whole already' download "$folder/c" "$sum"

mkdir -p "$folder/d"
head -c 100000 /dev/zero >"$folder/d/model.safetensors.part"
check 'a damaged download is refused' fails download "$folder/d" "$sum"
check 'the message names the checksum' grep -q 'SHA-256 is .*, expected' "$folder/log"
check 'no damaged file is left' test ! -e "$folder/d/model.safetensors" -a ! -e "$folder/d/model.safetensors.part"

# No room: files may not grow beyond 100 kB, and the signal that says so is ignored, so that writing fails as on a full
# disk. What arrived is kept, and with room again the rest comes.
full_disk() { (
    trap '' XFSZ
    ulimit -f 200 # blocks of 512 bytes, or of 1024
    download "$@"
); }
check 'a full disk is an error' fails full_disk "$folder/h" "$sum"
check 'it is said' grep -q 'model: model.safetensors: download failed .*run again to continue' "$folder/log"
check 'no half of the weights under their name' test ! -e "$folder/h/model.safetensors" -a -s "$folder/h/model.safetensors.part"
check 'with room again it goes on' download "$folder/h" "$sum"
check 'the weights are whole' cmp -s "$served/model.safetensors" "$folder/h/model.safetensors"

# Killed in the middle: a server that stops after the first half of the weights, and then nothing.
touch "$folder/stop-in-the-middle"
download "$folder/i" "$sum" &
process=$!
tries=0
until [ -s "$folder/i/model.safetensors.part" ] || [ $tries -ge 300 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill $process
wait $process 2>/dev/null
rm "$folder/stop-in-the-middle"
check 'a killed download leaves a part' test ! -e "$folder/i/model.safetensors" -a -s "$folder/i/model.safetensors.part"
check 'it is gone on with' download "$folder/i" "$sum"
check 'and is whole' cmp -s "$served/model.safetensors" "$folder/i/model.safetensors"

cp -r "$folder/a" "$folder/e"
echo x >>"$folder/e/model.safetensors"
check 'a changed file is noticed' fails download "$folder/e" "$sum"

rm "$served/tokenizer.json"
check 'a missing file is an error' fails download "$folder/f" "$sum"
check 'it is named' grep -q 'model: tokenizer.json: download failed' "$folder/log"

kill $server
wait $server 2>/dev/null
check 'no server is an error' fails download "$folder/g" "$sum"
check 'nothing half-written is left' test ! -e "$folder/g/config.json"
rm -rf "$folder"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
