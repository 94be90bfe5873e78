# shellcheck shell=sh
# Says so where Node would be refused its threads: it waits for ever where it gets only some of them. With very few open
# files it aborts or crashes. Read by bin/loop and bin/loopd before they become Node. Far from any limit of the user or
# its control group it forks nothing.
room=16
fewest=64
near=

if [ -r /proc/self/limits ]; then
  # No user has more tasks than there are in all.
  read -r _ _ _ tasks _ </proc/loadavg
  while read -r name kind most files _; do
    case "$name $kind $most" in
    'Max processes unlimited') ;;
    'Max processes '*) [ "$most" -gt $((${tasks#*/} + room)) ] || near=user ;;
    'Max open files')
      [ "$files" = unlimited ] || [ "$files" -ge $fewest ] || {
        echo "loop: Node cannot run with at most $files open files. Raise the limit, then try again: ulimit -n 1024" >&2
        exit 3
      }
      break
      ;;
    esac
  done </proc/self/limits
  while IFS=: read -r _ kind group; do
    case $kind in
    '') at=/sys/fs/cgroup$group ;;
    pids) at=/sys/fs/cgroup/pids$group ;;
    *) continue ;;
    esac
    while [ "$at" != /sys/fs ]; do
      at=${at%/}
      if [ -r "$at/pids.max" ]; then
        read -r most <"$at/pids.max"
        read -r tasks <"$at/pids.current"
        [ "$most" = max ] || [ "$most" -gt $((tasks + room)) ] || near=group
      fi
      at=${at%/*}
    done
  done </proc/self/cgroup
fi

if [ "$near" ]; then
  # Six processes at once: each has more to write than a pipe holds, and so lives until the last one is there.
  trap 'echo "loop: Node cannot start its threads: a limit on processes is reached (ulimit -u, or pids.max of the container). End some processes or raise the limit." >&2; exit 3' EXIT
  much='printf %70000s'
  { $much | $much | $much | $much | $much | :; } 2>/dev/null
  trap - EXIT
fi
