# tui.bash - drive one full-screen program inside a private tmux server.
# Rules: a fresh socket per test; wait for text, never sleep; the exit status is printed by the pane's own shell
# (tmux 3.3a can lose #{pane_dead_status} under load).
: "${NICELAB:=build/nicelab}"
export LC_ALL=C.UTF-8 # tmux answers in the locale of its client

tui_start() { # tui_start COLS ROWS COMMAND...
	TUI_SOCK="tui-$$-${BATS_TEST_NUMBER:-0}-$RANDOM"
	local c=$1 r=$2
	shift 2
	env -u TMUX LC_ALL=C.UTF-8 tmux -L "$TUI_SOCK" -f /dev/null \
		new-session -d -x "$c" -y "$r" -s t \
		"LC_ALL=C.UTF-8 TERM=${TUI_TERM:-tmux-256color} $*; printf '\nexit status %d\n' \$?; exec cat" \; \
		set -g status off \; set -s escape-time 0 \; set -g window-size manual
}
tui()      { tmux -L "$TUI_SOCK" "$@"; }
tui_keys() { tui send-keys -t t "$@"; }
tui_text() { tui capture-pane -p -t t; }
tui_wait() { # tui_wait REGEX [TENTHS]
	local n=${2:-200} i
	for ((i = 0; i < n; i++)); do
		tui_text | grep -Eq -- "$1" && return 0
		sleep 0.1
	done
	echo "timed out waiting for /$1/; screen was:" >&2
	tui_text >&2
	return 1
}
tui_stop() { tui kill-server 2>/dev/null || true; }

# The dashboard in the pane, the stage it forked, and the workers of that.
tui_dashboard() { pgrep -P "$(tui display-message -p -t t '#{pane_pid}')" -x nicelab; }
stage_of()      { pgrep -P "$1" -x nl-stage; }
tui_victim()    { pgrep -P "$(stage_of "$(tui_dashboard)")" -x nl-victim; } # others may run on this machine
workers_of()    { pgrep -P "$1" '^nl-'; }

# gone PID... : true when none of them is left within 2 s, zombies of others aside.
gone() {
	local i pid left
	for ((i = 0; i < 40; i++)); do
		left=
		for pid in "$@"; do
			[ -d "/proc/$pid" ] && ! grep -q '^State:.Z' "/proc/$pid/status" 2>/dev/null && left="$left $pid"
		done
		[ -z "$left" ] && return 0
		sleep 0.05
	done
	echo "still there after 2 s:$left" >&2
	# shellcheck disable=SC2086 # words are wanted
	ps -o pid,ppid,stat,comm $left >&2
	return 1
}

# session_gone SID : no process is left in the stage's session within 2 s, zombies aside; also what was forked late.
session_gone() {
	local i
	for ((i = 0; i < 40; i++)); do
		[ -z "$(pgrep -s "$1" -r R,S,D,T,I)" ] && return 0
		sleep 0.05
	done
	echo "still there after 2 s:" >&2
	ps -s "$1" -o pid,ppid,stat,comm >&2
	return 1
}
