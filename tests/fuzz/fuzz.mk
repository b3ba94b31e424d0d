# fuzz.mk: the parsers driven by libFuzzer, and the same functions run by make test over seeds/ and regressions/.

fuzz_objects = $(patsubst %,$(BUILD)/tests/fuzz/%.o,support safetensors shard_index configs options json_scan nfc \
                 chat_templates slow_bpe qwen tokenizers)
fuzzer_objects = $(patsubst %,$(BUILD)/tests/fuzz/%.o,entry json_mutator)
$(fuzz_objects) $(fuzzer_objects): extra_cflags = $(CHAPTER6_CFLAGS)

$(BUILD)/tests/test_fuzz_regressions $(BUILD)/tests/test_random_text: $(fuzz_objects)
$(BUILD)/tests/test_fuzz_regressions $(BUILD)/tests/test_random_text: | $(tokenizer_json)

# One program; FUZZ_TARGET chooses.
$(BUILD)/fuzzer: $(fuzz_objects) $(fuzzer_objects) $(upto_6)
	$(say) LINK fuzzer
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) -fsanitize=fuzzer $(OPENMP_CFLAGS) $(LDFLAGS) -o $(linked) $(filter %.o,$^) $(libs_6) $(call whole,$(linked))

.PHONY: fuzz fuzzer
fuzzer: $(BUILD)/fuzzer
fuzz: $(tokenizer_json) ## fuzz the parsers, TIME=60 seconds each (TARGET=nfc: one)
	$(Q)$(MAKE) BUILD="$(BUILD)/fuzz" CC=clang CFLAGS='-O1 -g' fuzzer \
	    SANITIZE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
	$(Q)BUILD="$(BUILD)/fuzz" FUZZ_TOKENIZER="$(dir $(tokenizer_json))" TIME="$(TIME)" sh tests/fuzz/fuzz.sh $(TARGET)
