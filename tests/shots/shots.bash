#!/usr/bin/env bash
# shots.bash OUTDIR - real screenshots: the program runs in tmux (driven exactly like the tests), an xterm under Xvfb shows
# that tmux, and import takes the window.
set -u
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=tests/e2e/tui.bash
. "$here/../e2e/tui.bash"
out=${1:?usage: shots.bash OUTDIR}
mkdir -p "$out"

# shot NAME COLS ROWS 'KEYS' 'REGEX TO WAIT FOR' SECONDS COMMAND... : once the hogs run, presses the keys (@N waits N seconds),
# waits for the text and the seconds, and takes the picture.
shot() {
	wanted "$1" || return 0
	local name=$1 c=$2 r=$3 keys=$4 want=$5 rest=$6
	shift 6
	local d xv xt w i k
	d=$(mktemp -d)
	Xvfb -displayfd 3 -screen 0 1920x1200x24 -nolisten tcp -noreset 3>"$d/disp" 2>"$d/xvfb.log" &
	xv=$!
	for ((i = 0; i < 100; i++)); do [ -s "$d/disp" ] && break; sleep 0.1; done
	tui_start "$c" "$r" "$@"
	tui set -g window-size latest \; set -g default-terminal tmux-256color
	DISPLAY=:$(<"$d/disp") LC_ALL=C.UTF-8 TMUX='' xterm -u8 -fa 'DejaVu Sans Mono' -fs 12 \
		-geometry "${c}x$r+0+0" -b 8 +sb -bg "${SHOT_BG:-#101418}" -fg "${SHOT_FG:-#d8dee9}" -title "$name" \
		-xrm 'xterm*termName: xterm-256color' -xrm 'xterm*cursorBlink: false' \
		-e tmux -L "$TUI_SOCK" attach -t t 2>"$d/xterm.log" &
	xt=$!
	for ((i = 0; i < 100; i++)); do
		w=$(DISPLAY=:$(<"$d/disp") xwininfo -name "$name" 2>/dev/null | awk '/Window id/{print $4}')
		[ -n "$w" ] && [ -n "$(tui list-clients 2>/dev/null)" ] && break
		sleep 0.1
	done
	tui_wait 'hog-1 .*APPLIED' 300
	for k in $keys; do
		case $k in @*) sleep "${k#@}" ;; *) tui_keys "$k" ;; esac
	done
	tui_wait "$want" 300 && sleep "$rest" && DISPLAY=:$(<"$d/disp") import -window "$w" -strip "$out/$name.png"
	local rc=$?
	tui_keys Escape
	sleep 0.3 # not Alt-q
	tui_keys q
	tui_wait 'exit status' 50
	tui_stop
	kill "$xt" "$xv" 2>/dev/null
	wait "$xt" "$xv" 2>/dev/null
	rm -rf "$d"
	[ "$rc" = 0 ] || echo "shot failed: $name" >&2
	return "$rc"
}

# Only those that are named after OUTDIR, or all.
all=("${@:2}")
wanted() {
	local n
	[ ${#all[@]} -eq 0 ] && return 0
	for n in "${all[@]}"; do [ "$n" = "$1" ] && return 0; done
	return 1
}

failed=0
shot default 100 32 '@8' 'hog-1 .*APPLIED' 2 "$NICELAB" || failed=1
shot nice19 100 32 '@12 n 1 9 Enter' 'victim/2 .*19 → 19' 22 "$NICELAB" || failed=1
shot partial 100 32 '@5 t n 1 9 Enter' 'PARTIAL' 12 "$NICELAB" || failed=1
shot autogroup 100 32 '@8 a n 1 9 Enter' 'MOOT autogroup' 12 "$NICELAB" || failed=1
shot detail 100 32 '@4 a n 1 9 Enter @2 Enter' 'instead' 3 "$NICELAB" || failed=1
shot theory 100 32 '@8 n 1 9 Enter @20 T' 'arithmetic' 2 "$NICELAB" || failed=1
shot nice19-80x24 80 24 '@8 n 1 9 Enter' '19 → 19' 20 "$NICELAB" || failed=1
disk="$NICELAB --victim-kind read --hog-kind write --hogs 2 --hog-threads 4 --victim-ionice be:0 --hog-ionice be:0"
idle='i Down Down Down Down Down Down Down Down Enter'
shot disk-idle 100 32 "@12 $idle" 'victim .*idle → idle' 14 "$disk" || failed=1
shot disk-idle-80x24 80 24 "@8 $idle" 'victim .*idle → idle' 10 "$disk" || failed=1
shot page-cache 100 32 '@4' 'page-cache' 8 \
	"$NICELAB --victim-kind bufread --hog-kind bufread --hogs 2 --victim-ionice idle" || failed=1
shot disk-devices 100 32 '@4 D' 'decides' 2 "$NICELAB --loop 512M:direct --victim-kind read --hog-kind write --hogs 1" || failed=1
shot help 100 48 'F1' 'end the workers and quit' 0 "$NICELAB" || failed=1
exit $failed
