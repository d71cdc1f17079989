#!/usr/bin/env bats
# The real program in a real terminal.
# shellcheck disable=SC2154 # bats sets status and output
load tui

teardown() { tui_stop; }

@test "the README's first minute: a hog more, F8, n 1 9 Enter, quit" {
	tui_start 100 32 "$NICELAB"
	tui_wait 'baseline: alone'
	tui_wait 'hog-1 .*APPLIED'
	before=$(tui_text | grep -Eo '[0-9]+ × busy loop' | cut -d' ' -f1)
	tui_keys +
	tui_wait "$((before + 1)) × busy loop"
	tui_keys F8
	tui_wait 'victim +[0-9]+ +1 → 1 '
	tui_keys n 1 9 Enter
	tui_wait 'victim +[0-9]+ +19 → 19 .*APPLIED'
	tui_wait 'victim/2 +[0-9]+ +19 → 19 .*APPLIED'
	tui_wait '▴victim nice 19|victim nice 19▴'
	pid=$(tui_dashboard)
	stage=$(stage_of "$pid")
	mapfile -t workers < <(workers_of "$stage")
	[ "${#workers[@]}" -eq $((before + 2)) ]
	tui_keys q
	tui_wait 'exit status 0'
	gone "$pid" "$stage" "${workers[@]}"
}

@test "main only, then every thread: PARTIAL and its remedy" {
	tui_start 100 32 "$NICELAB --hogs 0"
	tui_wait 'scope +every thread'
	tui_wait 'victim/2 .*APPLIED'
	tui_keys t
	tui_wait 'scope +main only'
	tui_keys n 7 Enter
	tui_wait 'victim/2 +[0-9]+ +7 → 0 .*PARTIAL'
	tui_wait 'PARTIAL main-thread-only · victim/2 .* f ask every thread'
	tui_keys t
	tui_wait 'victim/2 +[0-9]+ +7 → 7 .*(APPLIED|MOOT)'
	tui_keys q
	tui_wait 'exit status 0'
}

@test "a renice from another terminal shows as REVERTED on one thread within a second" {
	tui_start 100 32 "$NICELAB --hogs 1"
	tui_wait 'victim/2 .*APPLIED'
	pid=$(pgrep -P "$(stage_of "$(tui_dashboard)")" -x nl-victim)
	renice -n 10 -p "$pid" >/dev/null
	tui_wait "victim +$pid +0 → 10 .*REVERTED" 20
	tui_text | grep -Eq 'victim/2 +[0-9]+ +0 → 0 .*APPLIED'
	tui_wait 'nice 0 was set and held, then something else set 10'
	tui_keys ^C
	tui_wait 'exit status 0'
}

@test "the ioprio menu sets every thread and reads it back" {
	tui_start 100 32 "$NICELAB --hogs 0"
	tui_wait 'victim/2 .*APPLIED'
	tui_keys i
	tui_wait 'follows the nice value'
	for _ in $(seq 17); do tui_keys Down; done
	tui_wait '▸ idle'
	tui_keys Enter
	tui_wait 'victim/2 +[0-9]+ +0 → 0 +idle → idle .*io:MOOT'
	pid=$(pgrep -P "$(stage_of "$(tui_dashboard)")" -x nl-victim)
	for tid in /proc/"$pid"/task/*; do
		[ "$(ionice -p "${tid##*/}")" = idle ]
	done
	tui_keys q
	tui_wait 'exit status 0'
}

@test "a resize keeps what was typed and selected, down to a line that asks for room" {
	tui_start 100 32 "$NICELAB --hogs 0"
	tui_wait 'victim/2 .*APPLIED'
	tui_keys n 1
	tui_wait 'victim nice: 1'
	tui resize-window -t t -x 40 -y 10
	tui_wait 'victim nice: 1'
	tui resize-window -t t -x 30 -y 5
	tui_wait 'nicelab needs 40x10'
	tui resize-window -t t -x 160 -y 50
	tui_wait 'NAME'
	tui_wait 'victim nice: 1'
	tui_keys 2 Enter
	tui_wait 'victim/2 +[0-9]+ +12 → 12 .*(APPLIED|MOOT)'
	tui_keys q
	tui_wait 'exit status 0'
}

@test "^Z stops the workers too, fg resumes both" {
	tui_start 100 32 "bash --norc"
	tui_keys "PS1='shell> '" Enter
	tui_wait '^shell>'
	tui_keys "$NICELAB --hogs 2" Enter
	tui_wait 'hog-2 .*APPLIED'
	shell=$(pgrep -P "$(tui display-message -p -t t '#{pane_pid}')" -x bash)
	mapfile -t workers < <(workers_of "$(stage_of "$(pgrep -P "$shell" -x nicelab)")")
	[ "${#workers[@]}" -eq 3 ]
	tui_keys C-z
	tui_wait 'Stopped'
	for pid in "${workers[@]}"; do grep -q '^State:.T' "/proc/$pid/status"; done
	tui_keys fg Enter
	tui_wait 'hog-2 .*APPLIED'
	for ((i = 0; i < 40; i++)); do
		grep -q '^State:.T' "/proc/${workers[0]}/status" || break
		sleep 0.05
	done
	run grep -q '^State:.T' "/proc/${workers[0]}/status"
	[ "$status" -ne 0 ]
	tui_keys q
	tui_wait '^shell>$'
	gone "${workers[@]}"
}

@test "^Z stops whoever started it from the same job, as make does" {
	tui_start 100 32 "bash --norc"
	tui_keys "PS1='shell> '" Enter
	tui_wait '^shell>'
	tui_keys "sh -c '$NICELAB --hogs 2; true'" Enter
	tui_wait 'hog-2 .*APPLIED'
	tui_keys C-z
	tui_wait 'Stopped'
	tui_keys fg Enter
	tui_wait 'hog-2 .*APPLIED'
	tui_keys q
	tui_wait '^shell>$'
}

@test "a suspended nicelab can be ended, and one that was stopped from outside comes back whole" {
	tui_start 100 32 "bash --norc"
	tui_keys "PS1='shell> '" Enter
	tui_wait '^shell>'
	tui_keys "$NICELAB --hogs 2" Enter
	tui_wait 'hog-2 .*APPLIED'
	shell=$(pgrep -P "$(tui display-message -p -t t '#{pane_pid}')" -x bash)
	pid=$(pgrep -P "$shell" -x nicelab)
	kill -STOP "$pid"
	tui_wait 'Stopped'
	tui_keys fg Enter
	tui_wait 'hog-2 .*APPLIED'
	tui_keys n 3 Enter
	tui_wait 'victim/2 .*3 → 3'
	stage=$(stage_of "$pid")
	mapfile -t workers < <(workers_of "$stage")
	tui_keys C-z
	tui_wait 'Stopped'
	tui_keys 'kill %1' Enter
	gone "$pid" "$stage" "${workers[@]}"
	tui_keys 'echo alive; stty -a | grep -c " echo "' Enter
	tui_wait '^1$'
}

@test "escape sequences in pieces, Alt, foreign letters and broken bytes are no keys" {
	tui_start 100 32 "$NICELAB --hogs 1"
	tui_wait 'hog-1 .*APPLIED'
	tui send-keys -t t -H 1b 5b 31 3b 35 5a
	tui send-keys -t t -H 1b
	sleep 0.15
	tui send-keys -t t -H 5b 41
	tui send-keys -t t -H 1b 5b 49
	tui send-keys -t t -H 1b 78
	tui send-keys -t t -l 'ďĐą'
	tui send-keys -t t -H ff c3 28
	tui_keys Down Up n 2 Enter
	tui_wait 'victim/2 +[0-9]+ +2 → 2 .*APPLIED'
	tui_text | grep -Eq 'hog-1 .* 0 → 0 .*APPLIED'
	tui_text | grep -Eq 'nice (-1|1)([^0-9]|$)' && return 1
	tui_keys q
	tui_wait 'exit status 0'
}

@test "a terminal that takes no output does not keep SIGTERM from ending all" {
	dir=$(mktemp -d)
	mkfifo "$dir/out"
	tail -f /dev/null <"$dir/out" 3>&- &
	reader=$!
	TERM=xterm-256color script -qfc "stty rows 50 cols 160; exec $NICELAB --hogs 2 --interval 20" /dev/null \
		>"$dir/out" </dev/null 3>&- &
	script=$!
	for ((i = 0; i < 100; i++)); do
		pid=$(pgrep -P "$script" -x nicelab) && stage=$(stage_of "$pid") && break
		sleep 0.1
	done
	for ((i = 0; i < 300; i++)); do # until it stands still: it hangs in write(2)
		before=$(cut -d' ' -f1 "/proc/$pid/task/$pid/schedstat")
		sleep 0.5
		[ "$before" = "$(cut -d' ' -f1 "/proc/$pid/task/$pid/schedstat")" ] && break
	done
	mapfile -t workers < <(workers_of "$stage")
	[ "${#workers[@]}" -ge 3 ]
	kill -TERM "$pid"
	sleep 2.2
	gone "$stage" "${workers[@]}"
	kill "$script" "$reader"
	rm -rf "$dir"
}

@test "SIGTERM, SIGHUP and SIGINT give the terminal back and end the workers" {
	for signal in TERM HUP INT; do
		tui_start 80 24 "stty -a >/tmp/nl-stty-$$; $NICELAB --hogs 2; s=\$?; stty -a | cmp - /tmp/nl-stty-$$ && echo same; (exit \$s)"
		tui_wait 'hog-1 .*APPLIED'
		pid=$(tui_dashboard)
		stage=$(stage_of "$pid")
		mapfile -t workers < <(workers_of "$stage")
		kill -"$signal" "$pid"
		tui_wait '^same'
		tui_wait "exit status $((128 + $(kill -l "$signal")))"
		tui_text | grep -q 'busy loop' && return 1
		gone "$pid" "$stage" "${workers[@]}"
		tui_stop
	done
	rm -f "/tmp/nl-stty-$$"
}

@test "a crash gives the terminal back and ends the workers" {
	tui_start 80 24 "ulimit -c 0; stty -a >/tmp/nl-stty-$$; $NICELAB --hogs 2; s=\$?; stty -a | cmp - /tmp/nl-stty-$$ && echo same; (exit \$s)"
	tui_wait 'hog-1 .*APPLIED'
	pid=$(tui_dashboard)
	stage=$(stage_of "$pid")
	mapfile -t workers < <(workers_of "$stage")
	kill -SEGV "$pid"
	tui_wait '^same'
	tui_wait 'exit status 139'
	gone "$pid" "$stage" "${workers[@]}"
	rm -f "/tmp/nl-stty-$$"
}

@test "after kill -9 the stage gives the terminal back" {
	tui_start 80 24 "stty -a >/tmp/nl-stty-$$; $NICELAB --hogs 2; while pgrep -s \$(cat /tmp/nl-stage-$$) >/dev/null; do sleep 0.05; done; stty -a | cmp - /tmp/nl-stty-$$ && echo same"
	tui_wait 'hog-1 .*APPLIED'
	pid=$(tui_dashboard)
	stage=$(stage_of "$pid")
	echo "$stage" >"/tmp/nl-stage-$$"
	kill -9 "$pid"
	tui_wait '^same'
	tui_text | grep -q 'busy loop' && return 1
	[ "$(tui display-message -p -t t '#{alternate_on}')" = 0 ]
	[ "$(tui display-message -p -t t '#{cursor_flag}')" = 1 ]
	rm -f "/tmp/nl-stty-$$" "/tmp/nl-stage-$$"
}

@test "8 colours, monochrome and ASCII terminals are served" {
	for how in 'ansi::' 'xterm::' 'vt100::' 'screen::--no-color' 'tmux-256color:NO_COLOR=1:' 'linux::--theme light'; do
		IFS=: read -r TUI_TERM variable option <<<"$how"
		export TUI_TERM
		tui_start 80 24 "${variable:+env $variable} $NICELAB --hogs 1 $option"
		tui_wait 'hog-1 .*APPLIED'
		tui_keys q
		tui_wait 'exit status 0'
		tui_stop
	done
	unset TUI_TERM
	tui_start 80 24 "LC_ALL=C $NICELAB --hogs 1"
	tui_wait 'hog-1 .*APPLIED'
	tui_text | LC_ALL=C grep -q '[^ -~]' && return 1
	tui_keys q
	tui_wait 'exit status 0'
}

@test "the help shows every key and Esc never quits" {
	tui_start 100 40 "$NICELAB --hogs 0"
	tui_wait 'victim/2 .*APPLIED'
	tui_keys F1
	tui_wait 'show this help'
	tui_keys PageDown
	tui_wait 'end the workers and quit'
	tui_keys Escape
	tui_keys Escape
	tui_wait 'victim/2 .*APPLIED'
	tui_keys q
	tui_wait 'exit status 0'
}
