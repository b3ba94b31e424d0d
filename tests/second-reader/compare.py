#!/usr/bin/env python3
"""common/safetensors.h against a second reader, written from the format's page alone (safetensors, README.md, "Format").

usage: compare.py LIST_TENSORS FOLDER       last line: N passed, M failed

Good files, and the same with bytes and header fields changed at random: both readers accept with the same names, types,
shapes and offsets, or both refuse. Where the page leaves a rule to the JSON library, the comment says so.
"""
import json, math, random, struct, subprocess, sys
from pathlib import Path

BITS = {"BOOL": 8, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8, "F6_E2M3": 6, "F6_E3M2": 6, "F4": 4,
        "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32, "I64": 64, "U64": 64, "F64": 64, "C64": 64}
MAX_DIMS = 8  # common/safetensors.h's own limit
CHANGES = 1500


class Refused(Exception):
    pass


def need(condition):
    if not condition:
        raise Refused


def whole(value):
    return type(value) is int and value >= 0


def no_duplicates(pairs):
    need(len({k for k, _ in pairs}) == len(pairs))
    need(all("\0" not in k for k, _ in pairs))  # a name is a C string here
    return dict(pairs)


def number(text):
    value = float(text)
    need(math.isfinite(value))  # jansson refuses 1e999
    return value


def integer(text):
    need(-2**63 <= int(text) < 2**63)  # jansson's integers
    return int(text)


def refuse(_):
    raise Refused  # NaN and Infinity are not JSON


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for k, v in value.items():
            yield k
            yield from texts(v)
    elif isinstance(value, list):
        for v in value:
            yield from texts(v)


def read(data):
    """[(name, type, shape, begin, end)] by name."""
    try:
        need(len(data) >= 8)
        n, = struct.unpack("<Q", data[:8])
        need(n <= len(data) - 8 and n <= 100_000_000)
        text = data[8:8 + n]
        need(text[:1] == b"{" and b"\0" not in text)
        header = json.loads(text.decode("utf-8"), object_pairs_hook=no_duplicates, parse_constant=refuse, parse_float=number, parse_int=integer)
        for t in texts(header):
            t.encode("utf-8")  # half of a surrogate pair is no text
    except (UnicodeError, json.JSONDecodeError) as problem:
        raise Refused from problem
    size = len(data) - 8 - n
    metadata = header.pop("__metadata__", {})
    need(isinstance(metadata, dict) and all(isinstance(v, str) for v in metadata.values()))
    tensors = []
    for name, t in header.items():
        need(isinstance(t, dict) and isinstance(t.get("dtype"), str) and t["dtype"] in BITS)
        shape, span = t.get("shape"), t.get("data_offsets")
        need(isinstance(shape, list) and len(shape) <= MAX_DIMS and all(map(whole, shape)))
        need(isinstance(span, list) and len(span) == 2 and all(map(whole, span)))
        begin, end = span
        need(begin <= end <= size and math.prod(shape) * BITS[t["dtype"]] == 8 * (end - begin))
        tensors.append((name, t["dtype"], shape, begin, end))
    at = 0
    for _, _, _, begin, end in sorted(tensors, key=lambda t: t[3:]):
        need(begin == at)
        at = end
    need(at == size)
    return sorted(tensors, key=lambda t: t[0].encode("utf-8"))


def file_of(header, data):
    text = header if isinstance(header, bytes) else json.dumps(header, ensure_ascii=False).encode()
    return struct.pack("<Q", len(text)) + text + data


def good_files():
    def entry(dtype, shape, begin, end):
        return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}
    yield file_of({}, b"")
    yield file_of({"a": entry("F32", [2, 3], 0, 24)}, bytes(24))
    yield file_of({"__metadata__": {"format": "pt"}, "b": entry("BF16", [5], 8, 18), "a": entry("I64", [], 0, 8)}, bytes(18))
    yield file_of({"é中": entry("U8", [3], 0, 3), "": entry("F4", [2, 3], 3, 6), "z": entry("F32", [0, 7], 6, 6)}, bytes(6))
    yield file_of({f"model.layers.{i}.w": entry("F16", [i, 2], 2 * i * (i - 1), 2 * i * (i + 1)) for i in range(1, 9)}, bytes(144))
    yield file_of(b'{"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8],"more":[1.5,null,{"x":"\\u00e9"}]}}      ', bytes(8))
    yield file_of({"deep": entry("F6_E2M3", [1, 1, 1, 1, 2, 1, 1, 2], 0, 3)}, bytes(3))
    for name in ("ch2_rotation", "ch5_rmsnorm"):
        yield Path(f"tests/goldens/{name}.safetensors").read_bytes()


VALUES = [0, 1, 2, 3, 4, 8, 24, -1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, 1.0, 1e3, "", "F32", "BF16", "f32", "F4", None, True, [], [0], [0, 4], {}, "é", [2**62, 4, 0], [0, 2**63 - 1, 2**63 - 1]]


def places(value, path=()):
    yield path
    if isinstance(value, (dict, list)):
        for k in (list(value) if isinstance(value, dict) else range(len(value))):
            yield from places(value[k], (*path, k))


def change_field(data, rng):
    n, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + n])
    path = rng.choice(list(places(header)))
    if not path:
        return data
    at = header
    for k in path[:-1]:
        at = at[k]
    what = rng.randrange(4)
    if what == 0 and isinstance(at, dict):
        at[rng.choice(["a", "dtype", "shape", "data_offsets", "__metadata__", "q"])] = at.pop(path[-1])
    elif what == 1 and type(at[path[-1]]) is int:
        at[path[-1]] += rng.choice((-8, -4, -2, -1, 1, 2, 4, 8))
    elif what == 2 and isinstance(at, list):
        at.insert(path[-1], rng.choice((0, 1, 1, 2)))
    else:
        at[path[-1]] = rng.choice(VALUES)
    return file_of(json.dumps(header).encode(), data[8 + n:])


def change_bytes(data, rng):
    data = bytearray(data)
    n = len(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(min(n, 300)) if n else 0
        what = rng.randrange(6)
        if what == 0:
            data[at:at + 1] = bytes([rng.randrange(256)])
        elif what == 1:
            data[at:at + 1] = rng.choice((b'"', b"{", b"}", b"[", b"]", b",", b":", b" ", b"0", b"9", b"-", b"\\", b"\xc3", b"\0", b"e", b"."))
        elif what == 2:
            del data[at:at + rng.randrange(1, 9)]
        elif what == 3:
            data += bytes(rng.randrange(1, 9))
        elif what == 4:
            del data[len(data) - min(len(data), rng.randrange(1, 9)):]
        else:  # within the header, with its length put right
            length, = struct.unpack("<Q", bytes(data[:8])) if len(data) >= 8 else (0,)
            if 0 < length <= len(data) - 8:
                place = 8 + rng.randrange(length)
                insert = rng.choice((b" ", b"\t", b"\n", b"1", b"00", b'"a":1,', b"\xff", b"\\u0000", b"\\ud800", b'"', b"NaN"))
                data[place:place] = insert
                data[:8] = struct.pack("<Q", length + len(insert))
    return bytes(data)


def listed(text):
    """list_tensors' answers."""
    answers, lines = [], iter(text.splitlines())
    for line in lines:
        rows = []
        for row in lines:
            if row == ".":
                break
            name, dtype, shape, begin, end = row.split(" ") if not row.startswith(" ") else ("", *row[1:].split(" "))
            rows.append((bytes.fromhex(name).decode(), dtype, [] if shape == "-" else [int(s) for s in shape.split(",")], int(begin), int(end)))
        answers.append(rows if line == "ok" else None)
    return answers


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    rng, files = random.Random(3), list(good_files())
    n_good = len(files)
    files += [file_of(b" " + b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', b"x"), file_of(b'{"a":1,"a":1}', b""), b"", b"\0" * 8]
    for i in range(CHANGES):
        start = files[i % n_good]
        files.append(change_field(start, rng) if i % 3 else change_bytes(start, rng))
    for i, data in enumerate(files):
        (folder / str(i)).write_bytes(data)
    run = subprocess.run([program], input="".join(f"{folder}/{i}\n" for i in range(len(files))), capture_output=True, text=True)
    answers = listed(run.stdout)
    bad = run.returncode != 0 or len(answers) != len(files)
    if bad:
        print(f"FAILED: {program}: exit code {run.returncode}, {len(answers)} of {len(files)} answers\n{run.stderr}")
    accepted = 0
    for i, (data, answer) in enumerate(zip(files, answers)):
        try:
            expected = read(data)
        except Refused:
            expected = None
        accepted += expected is not None
        if answer != expected or (i < n_good and expected is None):
            bad += 1
            print(f"FAILED: {folder}/{i}: found {answer}, expected {expected}: {data[:200]!r}")
    if not CHANGES / 20 < accepted < CHANGES * 19 / 20:
        bad += 1
        print(f"FAILED: {accepted} of {len(files)} are accepted: the changes are too rough or too fine")
    print(f"{len(files) - bad} passed, {int(bad)} failed")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
