# fuzz.mk: the parsers driven by libFuzzer, and the same functions run by make test over seeds/ and regressions/.

fuzz_objects = $(patsubst %,$(BUILD)/tests/fuzz/%.o,support safetensors shard_index configs options json_scan nfc \
                 chat_templates slow_bpe qwen tokenizers prompt_ids model) $(BUILD)/$(folder_6)/prompt.o
fuzzer_objects = $(patsubst %,$(BUILD)/tests/fuzz/%.o,entry json_mutator folder_in_memory)
test_fuzz_objects = $(BUILD)/tests/fuzz/folder_on_disk.o
$(fuzz_objects) $(fuzzer_objects) $(test_fuzz_objects): extra_cflags = $(CHAPTER6_CFLAGS)

fuzz_tests = $(BUILD)/tests/test_fuzz_regressions $(BUILD)/tests/test_random_text
$(fuzz_tests): $(fuzz_objects) $(test_fuzz_objects)
$(fuzz_tests): | $(tokenizer_json)

# One program; FUZZ_TARGET chooses.
fuzzer_wrapped = $(patsubst %,-Wl$(comma)--wrap=%,mapped_file_open mapped_file_close lstat)
$(BUILD)/fuzzer: $(fuzz_objects) $(fuzzer_objects) $(upto_6)
	$(say) LINK fuzzer
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) -fsanitize=fuzzer $(OPENMP_CFLAGS) $(LDFLAGS) $(fuzzer_wrapped) -o $(linked) $(filter %.o,$^) $(libs_6) \
	    $(call whole,$(linked))

# Comparisons in loops over every byte or pair teach the fuzzer nothing and take a third of its time; what the slow
# reference does is no reason to keep an input. The kernels see small matrices only: a build in half the time.
plain_loops = $(patsubst %,FLAGS_%=-fno-sanitize-coverage=trace-cmp,hash merges bpe nfc utf8 whole_characters vocabulary \
                pretoken_cache byte_level json_scan)
fuzz_flags = $(plain_loops) FLAGS_slow_bpe=-fno-sanitize=all KERNEL_CFLAGS='-O1 $(kernel_relief)'

.PHONY: fuzz fuzzer fuzz-report
fuzzer: $(BUILD)/fuzzer
fuzz: $(tokenizer_json) ## fuzz the parsers, TIME=60 seconds each (TARGET=nfc: one)
	$(Q)$(MAKE) BUILD="$(BUILD)/fuzz" CC=clang CFLAGS='-O2 -g' $(fuzz_flags) fuzzer \
	    SANITIZE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
	$(Q)BUILD="$(BUILD)/fuzz" FUZZ_TOKENIZER="$(dir $(tokenizer_json))" TIME="$(TIME)" UNTIL="$(UNTIL)" sh tests/fuzz/fuzz.sh $(TARGET)

fuzz-report: $(tokenizer_json) ## runs, processor time and line coverage of make fuzz
	$(Q)$(MAKE) BUILD="$(BUILD)/fuzz/coverage" CC=clang CFLAGS='-O1 -g' KERNEL_CFLAGS='-fno-profile-instr-generate -fno-coverage-mapping' fuzzer \
	    SANITIZE='-fsanitize=fuzzer-no-link -fprofile-instr-generate -fcoverage-mapping'
	$(Q)BUILD="$(BUILD)/fuzz" FUZZ_TOKENIZER="$(dir $(tokenizer_json))" sh tests/fuzz/fuzz_report.sh "$(BUILD)/fuzz/coverage/fuzzer"
