#!/usr/bin/env bats
# nicelab probe and nicelab explain: what the running kernel answers, as root and as an ordinary user.
# shellcheck disable=SC2154 # bats sets status and output
: "${NICELAB:=build/nicelab}"
export LC_ALL=C.UTF-8
MAN=$BATS_TEST_DIRNAME/../../man/nicelab-verdicts.7

# Another user may not be able to reach the build folder: that user's program is a copy.
setup_file() {
	NOBODYS=$(mktemp -d)
	export NOBODYS
	chmod 755 "$NOBODYS"
	install -m 755 "$NICELAB" "$NOBODYS/nicelab"
}
teardown_file() { rm -rf "$NOBODYS"; }

# No child is left behind; those of other test runs do not count.
teardown() {
	local pid
	for pid in $(pgrep -x nl-trial); do
		grep -qzx "NOBODYS=$NOBODYS" "/proc/$pid/environ" 2>/dev/null && return 1
	done
	return 0
}

# The caller itself where that is no root; without limits that would let it do more than the rule says.
as_user() {
	if [ "$(id -u)" = 0 ]; then
		(cd / && prlimit --nice=0 --rtprio=0 setpriv --reuid 65534 --regid 65534 --clear-groups \
			--bounding-set=-all --inh-caps=-all "$@")
	else
		(cd / && prlimit --nice=0 --rtprio=0 "$@")
	fi
}

# says TEXT : the output holds it; blanks count as one, since lines are broken.
says() {
	local flat
	flat=$(tr -s ' \n' '  ' <<<"$output")
	[[ $flat == *"$1"* ]] || { echo "no '$1' in: $output" >&2; return 1; }
}

# refused STATUS MESSAGE ARGUMENTS... : that exit status, and exactly one line on stderr.
refused() {
	local want=$1 message=$2
	shift 2
	run "$NICELAB" "$@" </dev/null
	[ "$status" -eq "$want" ] || { echo "status $status: $output" >&2; return 1; }
	[ "${#lines[@]}" -eq 1 ] || { echo "$output" >&2; return 1; }
	[[ $output == "nicelab: "*"$message"* ]] || { echo "$output" >&2; return 1; }
}

@test "root with every right may set all, and the caller's own priorities stay" {
	[ "$(id -u)" = 0 ] || skip "needs root"
	before=$(nice)
	run "$NICELAB" probe
	[ "$status" -eq 0 ]
	says "as user 0 (root)"
	[ $((16#$(sed -n 's/^CapEff:\t//p' /proc/self/status) >> 23 & 1)) = 1 ] || skip "no CAP_SYS_NICE here"
	says "nice -20 to 19 may be set, and taken back"
	says "ionice none, rt/0-7, be/0-7, idle may be set"
	[ "$(nice)" = "$before" ]
}

@test "an ordinary user is told what is refused, why, and what to do: exit status 0" {
	run as_user "$NOBODYS/nicelab" probe
	[ "$status" -eq 0 ]
	says "-1 refused; coming back below 19 is refused [denied-eacces]"
	says "ionice none, be/0-7, idle may be set; rt/0-7 refused [ioprio-rt-denied]"
	says "IDLE may be set, and then not left again [policy-one-way]; FIFO, RR, DEADLINE refused [policy-rt-denied]"
	says "needs CAP_SYS_NICE or RLIMIT_NICE 20 > start it anew"
}

@test "the root of a user namespace is told that it has no power" {
	as_user unshare -Ur true 2>/dev/null || skip "no user namespaces here"
	run as_user unshare -Ur "$NOBODYS/nicelab" probe
	[ "$status" -eq 0 ]
	says "as user 0 (root)"
	says "coming back below 19 is refused [denied-userns]"
}

@test "JSON says the same to a program" {
	run as_user "$NOBODYS/nicelab" probe --json
	[ "$status" -eq 0 ]
	says '"schema": "nicelab.probe/1"'
	says '{ "nice": -20, "tried": true, "errno": "EACCES", "actual": 19, "code": "denied-eacces", "back"'
	says '"refusals": [ { "code": "denied-eacces", "status": "DENIED", "subject": "nice"'
	says '"policy": "IDLE", "tried": true, "errno": null, "actual": "IDLE", "code": null, "back": { "tried": true, "errno": "EPERM", "actual": "IDLE", "code": "policy-one-way" }'
	if command -v python3 >/dev/null; then python3 -m json.tool <<<"$output" >/dev/null; fi
}

@test "the directory may be named, and what is memory is told" {
	[ "$(stat -fc %T /dev/shm)" = tmpfs ] || skip "/dev/shm is no tmpfs"
	run "$NICELAB" probe --dir /dev/shm
	[ "$status" -eq 0 ]
	says "/dev/shm: tmpfs, no disk of its own; O_DIRECT is not real there"
	says "tmpfs-direct (MOOT)"
	run env TMPDIR=/dev/shm "$NICELAB" probe
	[[ $output != *"/dev/shm"* ]]
}

@test "nothing stays in the directory" {
	dir=$(mktemp -d)
	run "$NICELAB" probe --dir "$dir"
	[ "$status" -eq 0 ]
	says "dir $dir: "
	rmdir "$dir"
}

@test "bad arguments of probe and explain are one line and exit status 2" {
	refused 2 "--dir: '/nowhere': ENOENT" probe --dir /nowhere
	refused 2 "--dir: '/proc/self/stat': ENOTDIR" probe --dir /proc/self/stat
	refused 2 "option needs a value: '--dir'" probe --dir
	refused 2 "unknown option: '--bogus'" probe --bogus
	refused 2 "option takes no value: '--json=1'" probe --json=1
	refused 2 "unexpected argument: 'extra'" probe extra
	refused 2 "unknown option: '-x'" explain -x
	refused 2 "unexpected argument: 'clamped'" explain autogroup clamped
}

@test "what cannot be tried or written is exit status 3" {
	run sh -c "'$NICELAB' probe --json >/dev/full"
	[ "$status" -eq 3 ]
	[[ $output == "nicelab: standard output cannot be written: "* ]]
	[ "$(id -u)" = 0 ] || skip "needs root to become another user"
	run as_user prlimit --nproc=0 "$NOBODYS/nicelab" probe
	[ "$status" -eq 3 ]
	[[ $output == *"nicelab: not everything could be tried: EAGAIN"* ]]
	says "nice could not be tried: EAGAIN"
}

@test "explain and nicelab-verdicts(7) have the same codes" {
	"$NICELAB" explain | cut -d' ' -f1 | sort >"$BATS_TEST_TMPDIR/explain"
	sed -n 's/^\.It Cm \([a-z-]*\) Pq .*/\1/p' "$MAN" | sort >"$BATS_TEST_TMPDIR/man"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/explain")" -ge 40 ]
	diff "$BATS_TEST_TMPDIR/explain" "$BATS_TEST_TMPDIR/man"
	[ -z "$(uniq -d "$BATS_TEST_TMPDIR/explain")" ]
}

@test "each code is explained, within 80 columns and without control bytes" {
	mapfile -t codes < <("$NICELAB" explain | cut -d' ' -f1)
	[ "${#codes[@]}" -ge 40 ]
	for code in "${codes[@]}"; do
		run "$NICELAB" explain "$code"
		[ "$status" -eq 0 ]
		[[ $output == "$code: "*"  why "*"  do "*"  see "* ]]
		[ "$(LC_ALL=C grep -cE '.{81}|[^ -~]' <<<"$output")" -eq 0 ]
	done
}

@test "an unknown code is exit status 2, with those that are near" {
	refused 2 "unknown verdict: 'autogrup': did you mean autogroup" explain autogrup
	refused 2 "unknown verdict: 'zebra': nicelab explain lists them all" explain zebra
	run "$NICELAB" explain $'\033[31mred'
	[ "$status" -eq 2 ]
	[[ $output != *$'\033'* ]]
}

@test "help of both commands" {
	for command in probe explain; do
		run "$NICELAB" "$command" --help
		[ "$status" -eq 0 ]
		[[ $output == "usage: nicelab $command "*"--json"* ]]
		run "$NICELAB" --help
		[[ $output == *"  $command "* ]]
	done
}
