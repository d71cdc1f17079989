#!/usr/bin/env bats
# kill -9 of the dashboard, of the stage, of a worker, each at 20 random moments: nothing is left after two seconds,
# or the worker is replaced.
load tui

teardown() { tui_stop; }

start() {
	tui_start 80 24 "$NICELAB --hogs $((1 + RANDOM % 12))"
	for ((i = 0; i < 200; i++)); do
		pid=$(tui_dashboard) && stage=$(stage_of "$pid") && return 0
		sleep 0.02
	done
	return 1
}

pause() { sleep "$(printf '%d.%03d' $((RANDOM % $1)) $((RANDOM % 1000)))"; }

@test "kill -9 of the dashboard leaves nothing, 20 times" {
	for ((round = 0; round < 20; round++)); do
		start
		pause 4
		mapfile -t workers < <(workers_of "$stage")
		kill -9 "$pid"
		gone "$pid" "$stage" "${workers[@]}"
		session_gone "$stage"
		tui_stop
	done
}

@test "kill -9 of the stage leaves no worker, 20 times" {
	for ((round = 0; round < 20; round++)); do
		start
		pause 4
		mapfile -t workers < <(workers_of "$stage")
		kill -9 "$stage"
		gone "${workers[@]}"
		session_gone "$stage"
		tui_wait 'the stage process .* died'
		tui_keys q
		tui_wait 'exit status 0'
		tui_stop
	done
}

@test "a killed worker is reported and replaced, 20 times" {
	tui_start 100 32 "$NICELAB --hogs 5"
	tui_wait 'hog-2 .*APPLIED'
	stage=$(stage_of "$(tui_dashboard)")
	for ((round = 0; round < 20; round++)); do
		pause 1
		mapfile -t workers < <(workers_of "$stage")
		victim=${workers[$((RANDOM % ${#workers[@]}))]}
		kill -9 "$victim"
		tui_wait "pid $victim\) was killed by signal 9: replaced" 20
		for ((i = 0; i < 40; i++)); do [ "$(workers_of "$stage" | wc -l)" -eq 6 ] && break; sleep 0.05; done
		[ "$(workers_of "$stage" | wc -l)" -eq 6 ]
	done
	tui_keys q
	tui_wait 'exit status 0'
}
