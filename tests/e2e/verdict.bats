#!/usr/bin/env bats
# Traps, verdicts and remedies on the real screen: each trap is a key away, is named, and f mends it.
load tui.bash

teardown() { tui_stop; }

well='every asked priority holds'

@test "main thread only: t and n spring it, f mends it" {
	tui_start 100 32 "$NICELAB --hogs 4 --work 2"
	tui_wait "$well"
	tui_keys t
	tui_wait 'scope +main only'
	tui_keys n 5 Enter
	tui_wait 'PARTIAL main-thread-only · victim/2 .* f ask every thread'
	tui_wait '1 of 2 threads have it'
	tui_keys f
	tui_wait 'victim/2 .* 5 → 5 .*APPLIED'
	tui_wait "$well"
	tui_keys q
	tui_wait 'exit status 0'
}

@test "own sessions: the whole verdict offers two remedies, and the second shares one session" {
	[ "$(cat /proc/sys/kernel/sched_autogroup_enabled 2>/dev/null)" = 1 ] || skip "autogroup is not on here"
	tui_start 100 32 "$NICELAB --hogs 4 --work 2 --sessions own --victim-nice 19"
	tui_wait 'MOOT autogroup · victim, 2 threads'
	tui_keys Enter
	tui_wait 'instead +set the session'
	tui_wait 'put all workers into one session'
	tui_keys Down Enter
	tui_wait 'sessions shared'
	tui_wait "$well"
	tui_keys T
	tui_wait 'weight / sum of weights × CPUs = 15 / \(4 × 1024 \+ 2 × 15\)'
	tui_keys T
	tui_keys q
	tui_wait 'exit status 0'
}

@test "policy IDLE, no rivals, CPUs apart, clamped: each has its key and its mending" {
	[ "$(id -u)" = 0 ] || skip "only root leaves policy IDLE"
	[ "$(nproc)" -ge 2 ] || skip "there is one CPU only"
	tui_start 100 32 "$NICELAB --hogs 4 --work 2 --victim-nice 10"
	tui_wait "$well"
	tui_keys y y
	tui_wait 'IGNORED policy-idle'
	tui_keys f
	tui_wait "$well"
	tui_keys x
	tui_wait 'MOOT no-contention'
	tui_keys f
	tui_wait "$well"
	tui_keys p p
	tui_wait 'MOOT no-shared-cpu'
	tui_keys f
	tui_wait "$well"
	tui_keys n 3 3 Enter
	tui_wait 'CLAMPED clamped'
	tui_keys f
	tui_wait "$well"
	tui_keys q
	tui_wait 'exit status 0'
}

@test "root acts as an ordinary user, who cannot take a nice back; f starts the workers anew" {
	[ "$(id -u)" = 0 ] || skip "only root can act as somebody else"
	tui_start 100 32 "$NICELAB --hogs 4 --work 2 --as-user nobody --victim-nice 7"
	tui_wait "$well"
	[ "$(ps -o user= -p "$(tui_victim)")" = nobody ]
	tui_keys n 3 Enter
	tui_wait 'DENIED denied-eacces .* f start the workers anew'
	tui_keys f
	tui_wait 'victim .* 3 → 3 .*APPLIED'
	tui_keys u
	tui_wait 'stranger to them'
	tui_keys n 9 Enter
	tui_wait 'DENIED denied-eperm'
	tui_keys u
	tui_wait "$well"
	tui_keys q
	tui_wait 'exit status 0'
}

@test "root of a user namespace is told that it has no power" {
	unshare -Ur true 2>/dev/null || skip "no user namespace can be made here"
	run unshare -Ur "$NICELAB" --hogs 2 --work 2 --size 100x32 --keys '@1 n - 5 Enter @4' --dump-screen -
	[ "$status" -eq 0 ]
	[[ $output == *"DENIED denied-userns"* ]]
}
