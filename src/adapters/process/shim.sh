#!/bin/sh
# The shim of one run, file protocol 1 (frozen: hosts of other versions read these files).
# Runs a command with its output straight to files, enforces its wall timeout and writes how it ended, whether
# or not the program that launched it is still alive. In namespace mode it becomes process 1 of a PID
# namespace: when the command has ended the kernel kills whatever it left behind.
#
#   shim.sh MODE DIR TIMEOUT_S GRACE_S BOOT NS -- COMMAND [ARG...]
#     MODE   namespace | user-namespace | group
#     claim  created exclusively, first of all: whoever creates it runs the command, nobody else ever will;
#            locked while the run lives
#     pid    the process to signal (TERM is passed on to the command), and the command's own process
#     exit   written by rename when the command has ended; not fsynced: a host records it durably, and what a
#            power cut takes before that is found out by the boot id and counts as a lost run
#
# In braces so that the whole text is parsed before any of it runs: an upgrade may replace this file.
{
set -u
mode=$1 dir=$2 timeout=$3 grace=$4 boot=$5 ns=$6

identity() { # pid and start time as seen from outside: field 1 and 22 of the stat file given
  read -r stat <"$1" || return 1
  pid=${stat%% *}
  set -- ${stat##*) }
  shift 19
  start=$1
}

if [ "$mode" != inside ]; then
  identity /proc/self/stat || exit 70
  lock=no
  command -v flock >/dev/null && lock=yes
  mine=$dir/claim.$pid
  printf 'v 1\npid %s\nstart %s\nboot %s\nns %s\nmode %s\nlock %s\n' "$pid" "$start" "$boot" "$ns" "$mode" "$lock" >"$mine" || exit 70
  # Locked before it becomes the claim: who can not see this process asks the kernel whether it lives.
  exec 8<"$mine"
  [ $lock = no ] || flock -n 8 || exit 70
  ln "$mine" "$dir/claim" 2>/dev/null || exit 0
  case $mode in
    namespace) user= ;;
    user-namespace) user='--user --map-current-user' ;;
    *) user=no ;;
  esac
  if [ "$user" != no ]; then
    shift
    # Descriptor 9 is the outer /proc: the only way to learn from inside which process this is outside.
    exec 9</proc
    exec unshare $user --pid --fork --kill-child --propagation slave --mount-proc /bin/sh "$0" inside "$@"
  fi
else
  identity /proc/self/fd/9/self/stat || exit 70
  exec 9<&-
fi
shift 7

input=/dev/null
[ -f "$dir/prompt" ] && input=$dir/prompt
read -r began _ </proc/uptime
child=
trap '[ -n "$child" ] && { kill -s TERM -- "-$child" || kill -s TERM "$child"; } 2>/dev/null' TERM
setsid "$@" <"$input" >>"$dir/out" 2>>"$dir/err" 8<&- &
child=$!
printf 'v 1\npid %s\nstart %s\nchild %s\n' "$pid" "$start" "$child" >"$dir/pid"

(
  trap - TERM
  sleep "$timeout"
  : >"$dir/timeout"
  kill -s TERM -- "-$child"
  sleep "$grace"
  kill -s KILL -- "-$child"
) >/dev/null 2>&1 8<&- &
timer=$!

# A trapped signal interrupts wait; the command has ended only when it can no longer be signalled.
while :; do
  wait "$child"
  code=$?
  kill -0 "$child" 2>/dev/null || break
done
read -r ended _ </proc/uptime

timed=no
[ -f "$dir/timeout" ] && timed=yes
printf 'v 1\ncode %s\ntimeout %s\nbegan %s\nended %s\n' "$code" "$timed" "$began" "$ended" >"$dir/exit.tmp" &&
  mv "$dir/exit.tmp" "$dir/exit"
echo 'ended yes' >>"$dir/claim" # the doorbell: hosts watch this file, which no flood of output touches

if [ "$mode" = group ]; then
  for sleeper in $(cat "/proc/$timer/task/$timer/children" 2>/dev/null); do kill -s KILL "$sleeper"; done 2>/dev/null
  kill -s KILL "$timer" 2>/dev/null
fi
exit "$code"
}
