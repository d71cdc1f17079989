#!/usr/bin/env bash
# The structure that the design promises: floors, file and function lengths, what only one floor may do, CODE-MAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
floors=(base stats sched kernel verdict sample load lab audit report ui cmd)
bad=0
complain() { echo "check-tree: $*" >&2; bad=1; }

rank() {
	local i
	for i in "${!floors[@]}"; do [ "${floors[$i]}" = "$1" ] && { echo "$i"; return; }; done
	echo -1
}

mapfile -t files < <(find src include -name '*.[ch]' | sort)

# 1. A floor includes only itself and those above it in the list.
for f in "${files[@]}"; do
	floor=$(cut -d/ -f2 <<<"$f")
	here=$(rank "$floor")
	[ "$here" -ge 0 ] || complain "$f: no such floor: '$floor'"
	while read -r other; do
		there=$(rank "$other")
		[ "$there" -ge 0 ] && [ "$there" -gt "$here" ] && complain "$f includes $other/, which stands below $floor/"
	done < <(sed -n 's|^#include "\([a-z]*\)/.*|\1|p' "$f")
done

# 2. What only one floor may do. only FLOOR PATTERN WHAT [strings]: comments may speak of it, and texts too unless "strings" is given.
only() {
	local f hits strip='s|"[^"]*"|""|g'
	[ "${4:-}" = strings ] && strip=
	for f in "${files[@]}"; do
		[[ $f == */$1/* ]] && continue
		hits=$(sed -e 's|/\*.*\*/||' -e '/^ \*/d' -e '/^\/\*/d' -e "$strip" "$f" | grep -nE "$2" | head -n 3)
		[ -n "$hits" ] && complain "$f: $3 belongs to $1/: $hits"
	done
}
only load '\b(fork|vfork|waitpid|prctl)\(' 'forking and reaping'
only kernel '\b(setpriority|getpriority|sched_setscheduler|sched_setattr|sched_setaffinity)\(|SYS_ioprio' 'the priority calls'
only kernel '"/(proc|sys)[/"]' 'naming /proc and /sys' strings
only ui '#include <(curses|ncurses|term)\.h>' 'ncurses'
for pure in stats sched verdict; do
	for f in src/"$pure"/*.c; do
		grep -nE '#include <(fcntl|unistd|sys/(stat|mman|socket|wait|types|syscall))\.h>' "$f" &&
			complain "$f: $pure/ is pure: no system calls"
	done
done

# 3. No file over 500 lines; functions: median 15 or less, p90 under 50, none over 100.
for f in "${files[@]}" $(find tests -name '*.[ch]'); do
	n=$(wc -l <"$f")
	[ "$n" -gt 500 ] && complain "$f: $n lines, 500 are the limit"
done
if command -v ctags >/dev/null; then
	lengths=$(ctags -R --languages=C --kinds-C=f --fields=+ne -f - src |
		awk -F'\t' '{l=e=0; for(i=4;i<=NF;i++){if($i~/^line:/)l=substr($i,6); if($i~/^end:/)e=substr($i,5)} print e-l+1, $1, $2}' | sort -n)
	count=$(wc -l <<<"$lengths")
	median=$(sed -n "$((count / 2 + 1))p" <<<"$lengths" | cut -d' ' -f1)
	p90=$(sed -n "$((count * 9 / 10))p" <<<"$lengths" | cut -d' ' -f1)
	longest=$(tail -n 1 <<<"$lengths")
	[ "$median" -le 15 ] || complain "functions: median of $median lines, 15 are the limit"
	[ "$p90" -lt 50 ] || complain "functions: p90 of $p90 lines, 50 is the limit"
	[ "${longest%% *}" -le 100 ] || complain "function too long: $longest"
	echo "check-tree: $count functions, median $median, p90 $p90, longest ${longest%% *} lines"
fi

# 4. CODE-MAP names each file once, in floor order, and nothing else.
mapped=$(sed -n '/^Tests/q; s|^\([a-z]*/[a-z_]*\)  *.*|\1|p' CODE-MAP)
have=$(printf '%s\n' "${files[@]}" | sed -e 's|^[a-z]*/||' -e 's|\.[ch]$||' | sort -u)
diff <(sort <<<"$mapped") - <<<"$have" >/dev/null || {
	complain "CODE-MAP and the tree differ (< map, > tree):"
	diff <(sort <<<"$mapped") - <<<"$have" >&2
}
last=0
while read -r floor; do
	r=$(rank "$floor")
	[ "$r" -ge "$last" ] || complain "CODE-MAP: $floor/ is out of order"
	last=$r
done < <(cut -d/ -f1 <<<"$mapped")

# 5. Every key, option and status is in the man page.
while read -r what; do
	grep -q -- "Fl -$what" man/nicelab.1 || complain "man/nicelab.1 does not tell of --$what"
done < <(sed -n 's|.*X(OPT_[A-Z_]*, "\([a-z-]*\)".*|\1|p' include/cmd/options.h)

# 6. Nothing half-done.
grep -rnE '\b(TODO|FIXME|XXX|HACK)\b' src include man README.md && complain "left-over marks"
exit $bad
