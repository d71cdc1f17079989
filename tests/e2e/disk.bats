#!/usr/bin/env bats
# The disk lab in a real terminal: what ionice does and does not do, live; and that no file, loop device or elevator is left behind.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets status and output
load tui

setup() {
	DIR=$(mktemp -d -p /var/tmp nicelab-e2e-XXXXXX)
	chmod 1777 "$DIR"
}
teardown() {
	tui_stop
	[ -z "$MOUNTED" ] || umount "$MOUNTED"
	[ -z "$LOOP" ] || losetup -d "$LOOP"
	rm -rf "$DIR"
}

root_only() { [ "$(id -u)" -eq 0 ] || skip "only root can make a loop device or set an elevator"; }

# The loop device whose backing file is, or was, in our directory.
own_loop() { losetup -a | sed -n "s|^/dev/\\(loop[0-9]*\\):.*$DIR.*|\\1|p"; }

elevator_of() { sed 's/.*\[\(.*\)\].*/\1/' "/sys/block/$1/queue/scheduler"; }

# becomes WANT COMMAND... : the command prints that within five seconds.
becomes() {
	local want=$1 i got
	shift
	for ((i = 0; i < 100; i++)); do
		got=$("$@")
		[ "$got" = "$want" ] && return 0
		sleep 0.05
	done
	echo "'$*' prints '$got', not '$want'" >&2
	return 1
}
entries() { find "$DIR" -mindepth 1 -maxdepth 1 | wc -l; }

small="--file-size 8M --block 256K"

@test "reads fall off the cliff in class idle, and warm reads are told to come from the page cache" {
	tui_start 100 32 "$NICELAB --dir $DIR --victim-kind read --hog-kind write --hogs 2 --file-size 16M"
	tui_wait 'hog-2 .*APPLIED'
	tui_keys i
	tui_wait 'I/O priority . Enter sets'
	tui_keys -N 9 Down
	tui_wait '▸ +be/0'
	tui_keys Enter
	tui_wait 'victim .* be/0 → be/0'
	tui_keys i
	tui_keys -N 8 Down
	tui_wait '▸ +idle'
	tui_keys Enter
	tui_wait 'victim .* idle → idle'
	tui_wait '▴victim idle|▴vi'
	tui_keys v
	tui_wait 'Kind of victim'
	tui_keys -N 2 Down
	tui_wait '▸ +bufread'
	tui_keys Enter
	tui_wait 'MOOT page-cache · victim' 400
	tui_keys f
	tui_wait 'O_DIRECT read'
	tui_wait 'victim .* idle → idle +.*APPLIED' 400
	tui_keys q
	tui_wait 'exit status 0'
	[ "$(entries)" -eq 0 ]
}

@test "the disk is shown down to the bottom" {
	tui_start 100 32 "$NICELAB --dir $DIR --victim-kind read --hog-kind cpu --hogs 1 $small"
	tui_wait 'Disk · .*nicelab-e2e'
	tui_keys D
	tui_wait 'directory +/var/tmp/nicelab-e2e'
	tui_wait 'file system +[a-z]'
	tui_keys Escape
	tui_wait 'MOOT io-no-contention|IGNORED elevator|note |every asked priority holds'
	tui_keys q
	tui_wait 'exit status 0'
}

@test "a loop device of its own: the elevator is turned, and nothing is left" {
	root_only
	tui_start 100 32 "$NICELAB --dir $DIR --loop 128M --victim-kind read --hog-kind read --hogs 2 $small --victim-ionice idle"
	tui_wait 'Disk · own loop[0-9]+, 128 MiB'
	loop=$(own_loop)
	[ -n "$loop" ]
	tui_wait 'IGNORED elevator-none'
	tui_keys E
	tui_wait "Elevator of $loop"
	tui_keys Down Enter
	tui_wait "$loop mq-deadline \(class, no levels\)"
	[ "$(elevator_of "$loop")" = mq-deadline ]
	tui_wait 'victim .* idle → idle +.*APPLIED'
	tui_keys q
	tui_wait 'exit status 0'
	becomes "" own_loop
	[ "$(entries)" -eq 0 ]
}

@test "kill -9 of the dashboard, the stage or both leaves no loop device" {
	root_only
	for who in dashboard stage both; do
		tui_start 80 24 "$NICELAB --dir $DIR --loop 64M --victim-kind read --hog-kind write --hogs 1 $small"
		tui_wait 'hog-1 .*APPLIED'
		pid=$(tui_dashboard)
		stage=$(stage_of "$pid")
		[ -n "$(own_loop)" ]
		case $who in
		dashboard) kill -9 "$pid" ;;
		stage) kill -9 "$stage"; tui_wait 'stage process .* died'; tui_keys q ;;
		both) kill -9 "$pid" "$stage" ;;
		esac
		becomes "" own_loop
		tui_stop
	done
	[ "$(entries)" -eq 0 ]
}

@test "trees go with their workers, also after kill -9 of the dashboard, the stage or both" {
	for who in quit dashboard stage both; do
		tui_start 80 24 "$NICELAB --dir $DIR --victim-kind tree --hog-kind tree --hogs 1 --tree-size 8M"
		tui_wait 'hog-1 .*APPLIED'
		pid=$(tui_dashboard)
		stage=$(stage_of "$pid")
		[ "$(entries)" -eq 2 ]
		tui_keys R
		tui_wait 'started anew'
		becomes 2 entries
		case $who in
		quit) tui_keys q; tui_wait 'exit status 0' ;;
		dashboard) kill -9 "$pid" ;;
		stage) kill -9 "$stage"; tui_wait 'stage process .* died'; tui_keys q ;;
		both) kill -9 "$pid" "$stage" ;;
		esac
		becomes 0 entries
		tui_stop
	done
}

@test "what even the keeper could not remove is removed at the next start" {
	tui_start 80 24 "$NICELAB --dir $DIR --victim-kind tree --hogs 0 --tree-size 4M"
	tui_wait 'victim .*APPLIED|every asked'
	pid=$(tui_dashboard)
	stage=$(stage_of "$pid")
	tui_keys R
	tui_wait 'started anew'
	becomes 1 entries
	keeper=$(pgrep -P "$stage" -x nl-keeper)
	kill -STOP "$stage"
	kill -9 "$keeper" "$pid" "$stage"
	gone "$pid" "$stage" "$keeper"
	[ "$(entries)" -eq 1 ]
	mkdir "$DIR/.nl-tree-keep" "$DIR/other"
	run "$NICELAB" --dir "$DIR" --victim-kind read --hogs 0 --file-size 8M --keys '@1' --dump-screen /dev/null
	[ "$status" -eq 0 ]
	[ "$(ls -A "$DIR")" = "$(printf '.nl-tree-keep\nother')" ]
}

keepers_but() { pgrep -P "$stage" -x nl-keeper | grep -cvx "$1"; }

# A file system that others could use too, on a loop device of this test's own.
make_shared_disk() {
	truncate -s 96M "$DIR/image"
	LOOP=$(losetup -f --show "$DIR/image")
	mke2fs -q -F -t ext4 "$LOOP"
	mkdir "$DIR/mnt"
	mount "$LOOP" "$DIR/mnt"
	MOUNTED=$DIR/mnt
	was=$(elevator_of "${LOOP#/dev/}")
}

@test "the elevator of a disk is asked about once and put back, also after kill -9 of the dashboard, the stage or both" {
	root_only
	make_shared_disk
	for who in quit dashboard stage both keeper-first; do
		tui_start 100 32 "$NICELAB --dir $MOUNTED --victim-kind read --hog-kind read --hogs 1 --file-size 4M --block 256K"
		tui_wait 'hog-1 .*APPLIED'
		pid=$(tui_dashboard)
		stage=$(stage_of "$pid")
		tui_keys E
		tui_wait 'Elevator of '
		tui_keys Up Up Up Down Enter
		tui_wait 'serves others too'
		[ "$(elevator_of "${LOOP#/dev/}")" = "$was" ]
		tui_keys Enter
		tui_wait 'has the elevator mq-deadline now'
		[ "$(elevator_of "${LOOP#/dev/}")" = mq-deadline ]
		case $who in
		quit) tui_keys q; tui_wait 'exit status 0' ;;
		dashboard) kill -9 "$pid" ;;
		stage) kill -9 "$stage"; tui_wait 'stage process .* died'; tui_keys q ;;
		both) kill -9 "$pid" "$stage" ;;
		keeper-first)
			first=$(pgrep -P "$stage" -x nl-keeper)
			kill -9 "$first"
			becomes 1 keepers_but "$first" # the dead one may still be seen
			kill -9 "$pid" "$stage"
			;;
		esac
		becomes "$was" elevator_of "${LOOP#/dev/}"
		tui_stop
	done
}

@test "an elevator that somebody else has set meanwhile stays" {
	root_only
	make_shared_disk
	tui_start 100 32 "$NICELAB --dir $MOUNTED --elevator mq-deadline --victim-kind read --hogs 0 --file-size 4M --block 256K"
	tui_wait 'mq-deadline \(class, no levels\)'
	becomes mq-deadline elevator_of "${LOOP#/dev/}"
	echo kyber >"/sys/block/${LOOP#/dev/}/queue/scheduler"
	tui_keys q
	tui_wait 'exit status 0'
	[ "$(elevator_of "${LOOP#/dev/}")" = kyber ]
}

@test "a full file system stops the worker with its reason" {
	root_only
	make_shared_disk
	tui_start 100 32 "$NICELAB --dir $MOUNTED --victim-kind read --hog-kind write --hogs 1 --file-size 8M --block 256K"
	tui_wait 'hog-1 .*APPLIED'
	dd if=/dev/zero of="$MOUNTED/full" bs=1M 2>/dev/null || true
	tui_keys R
	tui_wait 'nl-hog-1 stopped: .*twice the size of its file must be free .*ENOSPC'
	[ -z "$(pgrep -x nl-hog-1 -s "$(stage_of "$(tui_dashboard)")")" ]
	rm "$MOUNTED/full"
	tui_keys R
	tui_wait 'hog-1 .*APPLIED'
	tui_keys q
	tui_wait 'exit status 0'
}

# refused STATUS MESSAGE ARGUMENTS... : that exit status, one line on stderr, no worker, no file, no loop device.
refused() {
	local want=$1 message=$2
	shift 2
	run "$NICELAB" "$@" --dump-screen /dev/null --keys @1 </dev/null
	[ "$status" -eq "$want" ] || { echo "status $status: $output" >&2; return 1; }
	[ "${#lines[@]}" -eq 1 ] || { echo "$output" >&2; return 1; }
	[[ $output == "nicelab: "*"$message"* ]] || { echo "$output" >&2; return 1; }
	[ -z "$(own_loop)" ]
	[ -z "$(find "$DIR" -name '.nl-*')" ]
}

@test "what cannot be is told in one line, and nothing is left" {
	io="--victim-kind read --hog-kind write --hogs 1"
	# shellcheck disable=SC2086 # words are wanted
	{
		refused 2 "--dir: '$DIR/none'" --dir "$DIR/none" $io
		refused 2 "--dir: '/etc/passwd'" --dir /etc/passwd $io
		refused 3 "no file can be made there" --dir /proc $io
		refused 2 "--file-size: '0': out of range" --file-size 0 $io
		refused 2 "--block: '0': out of range" --block 0 $io
		refused 2 "not a multiple of 512" --block 1000 $io
		refused 2 "smaller than one block" --file-size 512K --block 1M $io
		refused 2 "hogs and victim would take 2 GiB" --file-size 1G $io
		refused 3 "need twice that free" --file-size 900G --space 1T --hogs 0 --victim-kind read
		refused 2 "out of range" --file-size 5T $io
		refused 2 "not understood" --file-size many $io
		refused 2 "--tree-size: '1K': out of range" --tree-size 1K $io
		refused 2 "out of range: use none, rt/0-7, be/0-7 or idle" --victim-ionice be:8 $io
		refused 2 "out of range" --victim-ionice be:-1 $io
		refused 2 "not understood: use none, rt/0-7, be/0-7 or idle" --victim-ionice ideal $io
		refused 2 "no such kind of victim: use work, read, write, bufread or tree" --victim-kind reed
		refused 2 "no such kind of hog: use cpu, write, read, bufread, bufwrite or tree" --hog-kind rite
		refused 2 "--io-sample: 'megabyte'" --io-sample megabyte $io
		refused 2 "--hog-threads: '65': out of range" --hog-threads 65 $io
		refused 2 "--loop: '1M': out of range" --loop 1M --dir "$DIR" $io
		refused 2 "--loop: '64M:fast': not understood" --loop 64M:fast --dir "$DIR" $io
	}
	[ "$(id -u)" -eq 0 ] || return 0
	# shellcheck disable=SC2086
	{
		refused 3 "--loop: '900 GiB': twice that must be free" --loop 900G --dir "$DIR" $io
		refused 3 "a larger --loop" --loop 64M --dir "$DIR" $io --hogs 2 --file-size 32M
		refused 3 "--elevator: 'cfq': the kernel offers for" --loop 64M --dir "$DIR" --elevator cfq $io $small
	}
	mkdir "$DIR/ro"
	mount -t tmpfs -o ro,size=1M none "$DIR/ro"
	MOUNTED=$DIR/ro
	# shellcheck disable=SC2086
	refused 3 "no file can be made there: EROFS: read-only file system" --dir "$DIR/ro" $io
	mount -o remount,rw,size=4M "$DIR/ro"
	# shellcheck disable=SC2086
	refused 3 "need twice that free, and only 4 MiB is" --dir "$DIR/ro" $io $small
	chmod 755 "$DIR"
	run setpriv --reuid 65534 --regid 65534 --clear-groups "$NICELAB" --dir "$DIR" --victim-kind read --hogs 0 --dump-screen /dev/null
	[ "$status" -eq 3 ]
	[[ $output == *"no file can be made there: EACCES: permission denied"* ]]
}
