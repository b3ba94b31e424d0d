#!/usr/bin/env python3
"""Compares ./chapter6 with transformers on a model folder, and names the first layer and operation that differ.

usage: tests/compare_hf.py DIR [--ids 5,7,9 | --prompt TEXT] [-n 24] [--tolerance 1e-4] [--program ./chapter6]

    1. tokens      the prompt's ids                                    exactly (with --prompt)
    2. hidden      every operation of every layer that transformers
                   has a module for, in the order in which it runs     tolerance * the largest value there
    3. logits      of every prompt token                               tolerance * the largest logit
    4. greedy      n new ids, each side reading its own                exactly, up to a near-tie

Both sides compute in float32 from the weights as stored. Exit code 0: all agree; 1: something differs, and the line that
says DIFFERS names it. Needs torch, transformers, tokenizers, safetensors: goldens/reference/requirements.txt.
"""
import argparse
import subprocess
import sys

import torch
from transformers import AutoTokenizer, Qwen2ForCausalLM

# The operation of ./chapter6 --data hidden, and the module of a transformers layer whose output it is, in their order.
# What has no module of its own (rotation, scores, residual) shows in the next operation.
OPERATIONS = [
    ("input_layernorm", "input_layernorm"),
    ("q_proj", "self_attn.q_proj"),
    ("k_proj", "self_attn.k_proj"),
    ("v_proj", "self_attn.v_proj"),
    ("o_proj", "self_attn.o_proj"),
    ("post_attention_layernorm", "post_attention_layernorm"),
    ("mlp.gate_proj", "mlp.gate_proj"),
    ("mlp.up_proj", "mlp.up_proj"),
    ("mlp.down_proj", "mlp.down_proj"),
    ("output", ""),
]


def rows(arguments, *flags):
    """Runs the program with --data and yields its rows as lists of text."""
    command = [arguments.program, "--model", arguments.folder, *flags]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: {run.stderr.strip()}")
    return [line.split("\t") for line in run.stdout.splitlines()[1:]]


def hook_outputs(model):
    """Keeps the output of every compared module: {(layer, operation): [n_tokens, width]}."""
    kept = {}

    def keep(key):
        def hook(_module, _inputs, output):
            kept[key] = (output[0] if isinstance(output, tuple) else output).detach()[0].clone()

        return hook

    model.model.embed_tokens.register_forward_hook(keep((-1, "embed_tokens")))
    for i, layer in enumerate(model.model.layers):
        for operation, path in OPERATIONS:
            layer.get_submodule(path).register_forward_hook(keep((i, operation)))
    model.model.norm.register_forward_hook(keep((len(model.model.layers), "norm")))
    return kept


def order_of(n_layers):
    inside = [(i, operation) for i in range(n_layers) for operation, _ in OPERATIONS]
    return [(-1, "embed_tokens"), *inside, (n_layers, "norm")]


def report(what, got, expected, tolerance):
    """Prints one line; true when they agree. A NaN agrees with nothing."""
    largest = expected.abs().max().item()
    error = (got - expected).abs().max().item()
    good = error <= tolerance * max(largest, 1e-30)
    print(f"{'ok     ' if good else 'DIFFERS'} {what:42s} largest difference {error:.2e} of {largest:.4g}")
    if not good:
        at = (got - expected).abs().nan_to_num(torch.inf).argmax().item()
        position, dimension = divmod(at, expected.shape[1])
        print(f"        at position {position}, dimension {dimension}: {got[position, dimension]:.7g}, "
              f"transformers {expected[position, dimension]:.7g}")
    return good


def compare_hidden(arguments, ids, kept, n_layers):
    tables = {}
    for layer, operation, position, dimension, value in rows(arguments, "--ids", ids, "--data", "hidden"):
        tables.setdefault((int(layer), operation), []).append((int(position), int(dimension), float(value)))
    for layer, operation in order_of(n_layers):
        expected = kept[layer, operation]
        got = torch.full(expected.shape, torch.nan, dtype=torch.float32)
        for position, dimension, value in tables.get((layer, operation), []):
            got[position, dimension] = value
        name = operation if layer in (-1, n_layers) else f"layer {layer + 1} of {n_layers}, {operation}"
        if not report(name, got, expected, arguments.tolerance):
            return False  # what comes after it differs because of it
    return True


def compare_logits(arguments, ids, expected):
    got = torch.full(expected.shape, torch.nan, dtype=torch.float32)
    for position, token, logit in rows(arguments, "--ids", ids, "--data", "logits"):
        got[int(position), int(token)] = float(logit)
    return report("logits", got, expected, arguments.tolerance)


def compare_greedy(arguments, ids, prompt, model):
    """An end id of either side ends the comparison; so does a place where the two likeliest are nearly equal."""
    flags = ["--greedy", "--repetition-penalty", "1", "-n", str(arguments.n), "--data", "generated"]
    got = [int(row[2]) for row in rows(arguments, "--ids", ids, *flags)]
    text = list(prompt)
    for i, token in enumerate(got):
        logits = model(input_ids=torch.tensor([text])).logits[0, -1]
        best = int(logits.argmax())
        if token != best:
            gap = (logits[best] - logits[token]).item()
            near = gap <= 2 * arguments.tolerance * logits.abs().max().item()
            print(f"{'ok     ' if near else 'DIFFERS'} greedy token {i}: {token}, transformers {best} "
                  f"(its logit is {gap:.2e} larger)")
            return near
        text.append(token)
    print(f"ok      greedy: {len(got)} ids equal")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--ids")
    parser.add_argument("--prompt", default="Once upon a time, there was a little")
    parser.add_argument("-n", type=int, default=24)
    parser.add_argument("--tolerance", type=float, default=1e-4)
    parser.add_argument("--program", default="./chapter6")
    arguments = parser.parse_args()
    torch.set_grad_enabled(False)
    model = Qwen2ForCausalLM.from_pretrained(arguments.folder, dtype=torch.float32, attn_implementation="eager").eval()
    good = True
    if arguments.ids is None:
        tokenizer = AutoTokenizer.from_pretrained(arguments.folder)
        prompt = tokenizer.encode(arguments.prompt, add_special_tokens=False)
        got = [int(row[1]) for row in rows(arguments, "--prompt", arguments.prompt, "--data", "tokens")]
        good = got == prompt
        print(f"ok      {len(got)} tokens equal" if good else f"DIFFERS tokens: {got}, transformers {prompt}")
    else:
        prompt = [int(i) for i in arguments.ids.split(",")]
    ids = ",".join(map(str, prompt))
    kept = hook_outputs(model)
    logits = model(input_ids=torch.tensor([prompt])).logits[0].clone()
    good = compare_hidden(arguments, ids, dict(kept), len(model.model.layers)) and good
    good = compare_logits(arguments, ids, logits) and good
    good = compare_greedy(arguments, ids, prompt, model) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
