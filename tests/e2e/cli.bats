#!/usr/bin/env bats
# The command line, without a terminal.
# shellcheck disable=SC2154 # bats sets status and output
: "${NICELAB:=build/nicelab}"
export LC_ALL=C.UTF-8

# Another user may not be able to reach the build folder: that user's program is a copy.
setup_file() {
	NOBODYS=$(mktemp -d)
	export NOBODYS
	chmod 755 "$NOBODYS"
	install -m 755 "$NICELAB" "$NOBODYS/nicelab"
}
teardown_file() { rm -rf "$NOBODYS"; }
as_nobody() { (cd / && setpriv --reuid 65534 --regid 65534 --clear-groups "$@"); }

# refused STATUS MESSAGE ARGUMENTS... : that exit status, and exactly one line on stderr.
refused() {
	local want=$1 message=$2
	shift 2
	run "$NICELAB" "$@" </dev/null
	[ "$status" -eq "$want" ] || { echo "status $status: $output" >&2; return 1; }
	[ "${#lines[@]}" -eq 1 ] || { echo "$output" >&2; return 1; }
	[[ $output == "nicelab: "*"$message"* ]] || { echo "$output" >&2; return 1; }
}

@test "bad arguments are one line and exit status 2" {
	refused 2 "unknown option: '--bogus'" --bogus
	refused 2 "--hogs: 'abc': not understood: use 0 to 1024" --hogs abc
	refused 2 "out of range" --hogs 1025
	refused 2 "out of range: use -20 to 19" --hog-nice 20
	refused 2 "out of range: use none, rt/0-7" --victim-ionice be:8
	refused 2 "unknown command: 'dance'" dance
	refused 2 "option takes no value: '--ascii=1'" --ascii=1
	refused 2 "unknown option: '-x'" -xy
	refused 2 "unknown option: '--w'" --w 300
	refused 2 "option needs a value: '--hogs'" --hogs
	refused 2 "unexpected argument: 'extra'" live extra
	refused 2 "not all of them may be used here" --cpus 1000
	refused 2 "not a key" --keys 'Bogus'
}

@test "escape sequences in an argument do not reach the terminal" {
	run "$NICELAB" --hogs $'\033[31mred'
	[ "$status" -eq 2 ]
	[[ $output != *$'\033'* ]]
}

@test "what is no terminal is told with exit status 3" {
	refused 3 "not a terminal"
	run env TERM=dumb script -qec "$NICELAB" /dev/null </dev/null
	[ "$status" -eq 3 ]
	[[ $output == *"terminal 'dumb' cannot move its cursor"* ]]
	run env TERM=nonesuch script -qec "$NICELAB" /dev/null </dev/null
	[ "$status" -eq 3 ]
	[[ $output == *"unknown terminal: 'nonesuch'"* ]]
	[ -z "$(pgrep -P $$ nl-)" ]
}

@test "no /proc is told with exit status 3" {
	[ "$(id -u)" = 0 ] || skip "needs root for a mount namespace"
	unshare -m true 2>/dev/null || skip "no mount namespace here"
	run unshare -m sh -c "mount -t tmpfs none /proc && exec '$NICELAB' --dump-screen -" </dev/null
	[ "$status" -eq 3 ]
	[[ $output == "nicelab: /proc cannot be read: ENOENT"* ]]
}

@test "a refused fork is on the screen, and nothing is left" {
	[ "$(id -u)" = 0 ] || skip "needs root to become another user"
	run as_nobody prlimit --nproc=12 "$NOBODYS/nicelab" --hogs 40 --size 140x40 --keys '@4' --dump-screen -
	[ "$status" -eq 0 ]
	[[ $output == *"could not be started (EAGAIN: resource temporarily unavailable), RLIMIT_NPROC is 12"* ]]
	[[ $output == *"Hogs"*" refused ─"* ]]
	[ -z "$(pgrep -u 65534 nl-)" ]
}

@test "no process can be forked at all: exit status 3" {
	[ "$(id -u)" = 0 ] || skip "needs root to become another user"
	run as_nobody prlimit --nproc=0 "$NOBODYS/nicelab" --dump-screen - </dev/null
	[ "$status" -eq 3 ]
	[[ $output == "nicelab: the stage process cannot be started: EAGAIN"* ]]
}

@test "a screen is drawn without a terminal at every size" {
	for size in 40x10 80x24 100x32 160x50; do
		run "$NICELAB" live --hogs 2 --size "$size" --keys '@3' --dump-screen - </dev/null
		[ "$status" -eq 0 ]
		[ "${#lines[@]}" -le "${size#*x}" ]
		[[ $output == *"nicelab"*"Victim"*"APPLIED"* ]]
	done
}

@test "an unwritable dump is told with exit status 3" {
	run "$NICELAB" --hogs 0 --dump-screen /nowhere/x --keys '' </dev/null
	[ "$status" -eq 3 ]
	[[ $output == *"the screen cannot be written: '/nowhere/x': ENOENT"* ]]
}

@test "help and version" {
	run "$NICELAB" --version
	[ "$status" -eq 0 ]
	[[ $output == "nicelab "[0-9]*.*.* ]]
	run "$NICELAB" --help
	[ "$status" -eq 0 ]
	[[ $output == *"live"* ]]
	run "$NICELAB" live --help
	[ "$status" -eq 0 ]
	[[ $output == *"--victim-nice N"* ]]
}

@test "an unprivileged user is told why, and R brings the victim back" {
	[ "$(id -u)" = 0 ] || skip "needs root to become another user"
	run as_nobody "$NOBODYS/nicelab" --hogs 1 --size 160x40 \
		--keys '@3 n 1 9 Enter @1 n 0 Enter @1' --dump-screen - </dev/null
	[[ $output == *"DENIED denied-eacces · victim, 2 threads"*"f start the workers anew"* ]]
	[[ $output == *"nice 0 refused (EACCES: permission denied)"*"CAP_SYS_NICE or RLIMIT_NICE 20"* ]]
	run as_nobody "$NOBODYS/nicelab" --hogs 1 --size 160x40 \
		--keys '@3 n 1 9 Enter @1 n 0 Enter @1 R @2' --dump-screen - </dev/null
	[[ $output == *"victim "*" 0 → 0 "*"APPLIED"* ]]
	[[ $output != *"DENIED"* ]]
}
