#!/usr/bin/env bash
# Runs each fuzzer for FUZZ_SECONDS (default 20) from the seeds in the tree; what it finds new is not kept.
set -eu
obj=$1
for fuzzer in "$obj"/tests/fuzz/*; do
	case $fuzzer in *.o | *.d) continue ;; esac
	corpus=$(mktemp -d)
	"$fuzzer" -max_total_time="${FUZZ_SECONDS:-20}" -max_len=2048 -print_final_stats=0 -verbosity=0 \
		-artifact_prefix="$corpus/" "$corpus" tests/fuzz/seeds >"$corpus/log" 2>&1 ||
		{ cat "$corpus/log"; echo "fuzz: $(basename "$fuzzer"): failed, input in $corpus" >&2; exit 1; }
	rm -rf "$corpus"
	echo "fuzz: $(basename "$fuzzer"): ${FUZZ_SECONDS:-20} s, nothing found"
done
