# yours.mk: each chapter's checks with the student's functions.
#
# chapterN-yours: chapters/NN/exercises/yours.c (and yours_*.c beside it), the exercise files that the manifest names, chapters/yours.c and the
# project's modules up to chapter N. chapterN-solved is the same with each exercise's first solution: it proves yours.c.

yours_chapters := $(foreach n,$(levels),$(if $(wildcard $(folder_$(n))/exercises/yours.c),$(n)))
exercise_file = $(shell awk -F '\t' -v id='$(1)' '$$1 "" == id "" { print "chapters/" $$2 "/exercises/" $$1 "-" $$3 ".c" }' tests/exercises/exercises.tsv)
student_flags = -std=c11 $(CFLAGS) -w -D_POSIX_C_SOURCE=200809L $(SANITIZE)

# $(1) a chapter, $(2) an exercise, $(3) the student's file. Compiled as build.sh does: it sees the exercise headers only.
# Warnings are for make exercise.
define yours_object_rules
$(BUILD)/yours/$(2).o: $(if $(wildcard $(3)),$(3),FORCE) $(folder_$(1))/exercises/exercises.h chapters/exercise.h $(BUILD)/flags.stamp
	$(say) CC $(3)
	@test -f $(3) || { echo '$(3) is missing; make reset EX=$(2) brings it back' >&2; exit 1; }
	@mkdir -p "$$(@D)"
	$(Q)$$(CC) $$(student_flags) -c -o $$(part) $(3) $$(call whole,$$(part))
$(BUILD)/yours/$(2)-solved.o: $(firstword $(sort $(wildcard tests/exercises/$(2)/solution-*.c))) $(folder_$(1))/exercises/exercises.h $(BUILD)/flags.stamp
	@mkdir -p "$$(@D)"
	$(Q)$$(CC) $$(student_flags) -iquote $(folder_$(1))/exercises -c -o $$(part) $$< $$(call whole,$$(part))
endef

define yours_rules
yours_ids_$(1) := $(filter $(1).%,$(exercise_ids))
yours_own_$(1) := $(patsubst $(folder_$(1))/exercises/%.c,$(BUILD)/yours/chapter$(1)/%.o,$(wildcard $(folder_$(1))/exercises/yours.c $(folder_$(1))/exercises/yours_*.c))
yours_common_$(1) := $$(yours_own_$(1)) $(BUILD)/yours/yours.o $(upto_$(1))
$$(yours_own_$(1)): $(BUILD)/yours/chapter$(1)/%.o: $(folder_$(1))/exercises/%.c $(BUILD)/flags.stamp
	$(say) CC $$<
	@mkdir -p "$$(@D)"
	$(Q)$$(CC) $$(base_flags) $(if $(filter 6,$(1)),$$(CHAPTER6_CFLAGS)) -MMD -MP -MT $$@ -MF $$(part).dep -c -o $$(part) $$< \
	    && mv -f $$(part).dep $$(@:.o=.d) $$(call whole,$$(part))
$(BIN)/chapter$(1)-yours: $$(patsubst %,$(BUILD)/yours/%.o,$$(yours_ids_$(1))) $$(yours_common_$(1))
	$(say) LINK chapter$(1)-yours
	$(Q)$$(CC) $$(CFLAGS) $$(SANITIZE) $$(OPENMP_CFLAGS) $$(LDFLAGS) -o $$(linked) $$(filter %.o,$$^) $$(libs_$(1)) $$(call whole,$$(linked))
$(BUILD)/yours/chapter$(1)-solved: $$(patsubst %,$(BUILD)/yours/%-solved.o,$$(yours_ids_$(1))) $$(yours_common_$(1))
	$(say) LINK chapter$(1)-solved
	$(Q)$$(CC) $$(CFLAGS) $$(SANITIZE) $$(OPENMP_CFLAGS) $$(LDFLAGS) -o $$(linked) $$(filter %.o,$$^) $$(libs_$(1)) $$(call whole,$$(linked))
endef

# Only when asked for: each rule costs every other make a little.
yours_wanted := $(filter %-yours check-yours,$(MAKECMDGOALS))
ifneq ($(yours_wanted),)
$(foreach n,$(yours_chapters),$(foreach id,$(filter $(n).%,$(exercise_ids)),$(eval $(call yours_object_rules,$(n),$(id),$(call exercise_file,$(id))))))
$(foreach n,$(yours_chapters),$(eval $(call yours_rules,$(n))))
endif
$(BUILD)/yours/yours.o: chapters/yours.c $(BUILD)/flags.stamp
	$(say) CC $<
	@mkdir -p "$(@D)"
	$(Q)$(CC) $(base_flags) -MMD -MP -MT $@ -MF $(part).dep -c -o $(part) $< \
	    && mv -f $(part).dep $(@:.o=.d) $(call whole,$(part))

ifneq ($(BIN),.)
.PHONY: $(foreach n,$(yours_chapters),chapter$(n)-yours)
$(foreach n,$(yours_chapters),$(eval chapter$(n)-yours: $(BIN)/chapter$(n)-yours))
endif

.PHONY: check-yours
solved_wanted = $(foreach n,$(yours_chapters),$(if $(filter $(or $(CHAPTER),$(n)),$(n)),$(BUILD)/yours/chapter$(n)-solved))
check-yours: $(solved_wanted) ## prove chapterN-yours with the solutions (CHAPTER=3)
	$(Q)for program in $(solved_wanted); do \
	    $$program > $(BUILD)/yours/check.txt || { cat $(BUILD)/yours/check.txt; exit 1; }; \
	    tail -n 1 $(BUILD)/yours/check.txt | grep ' 0 not started, 0 to fix' || { cat $(BUILD)/yours/check.txt; exit 1; }; \
	done
