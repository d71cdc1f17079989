#!/usr/bin/env bash
# Runs every target of each fuzzer for FUZZ_SECONDS (default 20) from the seeds in the tree, as many at a time as there are
# CPUs; what it finds new is not kept. FUZZ_TARGET=NAME runs that one alone.
set -u
obj=$1
export FUZZ_SECONDS="${FUZZ_SECONDS:-20}"

run_target() { # FUZZER TARGET
	local corpus
	corpus=$(mktemp -d)
	if ! FUZZ_TARGET=$2 "$1" -max_total_time="$FUZZ_SECONDS" -max_len=2048 -print_final_stats=0 -verbosity=0 \
		-artifact_prefix="$corpus/" "$corpus" tests/fuzz/seeds >"$corpus/log" 2>&1; then
		cat "$corpus/log"
		echo "fuzz: $(basename "$1") $2: failed, input in $corpus" >&2
		return 1
	fi
	rm -rf "$corpus"
	echo "fuzz: $(basename "$1") $2: $FUZZ_SECONDS s, nothing found"
}
export -f run_target

for fuzzer in "$obj"/tests/fuzz/*; do
	case $fuzzer in *.o | *.d) continue ;; esac
	if [ -n "${FUZZ_TARGET:-}" ]; then
		names=$FUZZ_TARGET
	else
		names=$(FUZZ_TARGET=list "$fuzzer") || exit 1
	fi
	# shellcheck disable=SC2016 # they are expanded in the shell that xargs starts
	# xargs ends with 123 where any of them failed.
	xargs -P "$(nproc)" -I{} bash -c 'run_target "$0" "$1"' "$fuzzer" {} <<<"$names" || exit 1
done
