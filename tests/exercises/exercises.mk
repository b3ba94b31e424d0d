# exercises.mk: the exercises' part of the Makefile. The scripts in tests/exercises do the work.

exercise_ids := $(shell awk -F '\t' 'NR > 1 { print $$1 }' tests/exercises/exercises.tsv)
exercise_environment = BUILD="$(BUILD)" CC="$(CC)" EX_LANG="$(EX_LANG)" PLAIN="$(PLAIN)"
judge_sources := $(addprefix tests/exercises/harness/,judge.c record.c run.c compare.c text.c properties.c page.c quote.c report.c)
harness_files := $(wildcard tests/exercises/harness/*) tests/exercises/build.sh tests/exercises/exercises.tsv chapters/exercise.h

$(BUILD)/exercises/judge: $(judge_sources) $(wildcard tests/exercises/harness/*.h)
	$(say) CC judge
	@mkdir -p "$(@D)"
	$(Q)$(CC) -std=c11 -O1 -g -Wall -Wextra -Wpedantic -Wshadow $(WERROR) -D_POSIX_C_SOURCE=200809L -o $(part) $(judge_sources) -lm $(call whole,$(part))

# An exercise is built again when the student's file (which may be missing), its cases or the harness changed.
define exercise_rules
$(BUILD)/exercises/$(1)/built: $(wildcard chapters/*/exercises/$(1)-*.c) tests/exercises/$(1)/cases.c $(wildcard chapters/*/exercises/exercises.h) $(harness_files)
	$(Q)$(exercise_environment) sh tests/exercises/build.sh $(1) && touch $$@
endef
$(foreach id,$(exercise_ids),$(eval $(call exercise_rules,$(id))))
built_exercises = $(foreach id,$(if $(CHAPTER),$(filter $(CHAPTER).%,$(exercise_ids)),$(exercise_ids)),$(BUILD)/exercises/$(id)/built)

.PHONY: test-exercises exercise hint reset watch check-exercises expected
test-exercises: $(BUILD)/exercises/judge $(built_exercises)
	$(Q)$(exercise_environment) sh tests/exercises/all.sh $(CHAPTER)

exercise: $(BUILD)/exercises/judge $(if $(filter $(EX),$(exercise_ids)),$(BUILD)/exercises/$(EX)/built) ## build, run and explain one exercise: EX=3.1
	$(Q)$(exercise_environment) sh tests/exercises/one.sh "$(EX)"

hint: ## one more hint each time: EX=3.1
	$(Q)$(exercise_environment) sh tests/exercises/hint.sh "$(EX)"

reset: ## put an exercise back as it was handed out: EX=3.1
	$(Q)sh tests/exercises/reset.sh "$(EX)"

watch: $(BUILD)/exercises/judge ## explain an exercise again at every save: EX=3.1
	$(Q)$(exercise_environment) sh tests/exercises/watch.sh "$(EX)"

expected: $(BUILD)/exercises/judge ## generate an exercise's expected values: EX=3.1
	$(Q)$(exercise_environment) python3 tests/exercises/check_exercises.py --generate $(EX)

check-exercises: $(BUILD)/exercises/judge ## prove the exercises (EX=3.1: one)
	$(Q)$(exercise_environment) python3 tests/exercises/check_exercises.py $(EX)
	$(if $(EX),,$(Q)$(MAKE) check-yours)

# The teacher's targets are written in Python.
.PHONY: need_python
need_python:
	$(Q)command -v python3 >/dev/null 2>&1 || { echo 'this target needs python3: "make deps-dev" installs it' >&2; exit 97; }
grade grade-class handout test-grader check-exercises expected: | need_python

.PHONY: grade
grade: $(BUILD)/exercises/judge ## grade this tree: build/grade/results.json, junit.xml
	$(Q)$(exercise_environment) python3 tests/exercises/grade.py

.PHONY: grade-class
grade-class: $(BUILD)/exercises/judge ## grade a class: DIR=submissions
	$(Q)$(exercise_environment) STUDENT="$(STUDENT)" EX="$(EX)" EXCLUDE="$(EXCLUDE)" python3 tests/exercises/grade_class.py "$(DIR)" $(if $(OUT),"$(OUT)")

.PHONY: handout
handout: ## pack the tree for students: build/handout.tar.gz
	$(Q)python3 tests/exercises/handout.py "$(BUILD)/handout.tar.gz"

.PHONY: test-grader
test-grader: $(BUILD)/exercises/judge ## test the judge, the graders and the handout
	$(Q)$(exercise_environment) python3 tests/exercises/test_grader.py
	$(Q)$(exercise_environment) sh tests/exercises/test_handout.sh
