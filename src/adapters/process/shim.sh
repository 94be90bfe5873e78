#!/bin/sh
# The shim of one run, file protocol 1 (frozen: hosts of other versions read these files).
# Runs a command with its output straight to files, enforces its wall timeout and writes how it ended, whether
# or not the program that launched it is still alive. In a namespace it is process 1: when the command has ended
# the kernel kills whatever it left behind. Each program it calls costs the run a millisecond.
#
#   [unshare ...] shim.sh MODE DIR TIMEOUT_S GRACE_S BOOT NS -- COMMAND [ARG...]
#     MODE   namespace | user-namespace (made by the host, see contain.ts) | group
#     3      the /proc of the host: the only way to learn from inside which process this is outside
#     claim  created exclusively, first of all: whoever creates it runs the command, nobody else ever will;
#            locked while the run lives
#     pid    the process to signal (TERM is passed on to the command), and the command's own process
#     LOOP_STOP  in the environment, taken out of the command's: "INT 3.000" sends INT instead of TERM, to the command
#            and at its timeout, and TERM that many seconds later
#     exit   is there, down to the end of its last line, when the command has ended; not fsynced: a host records
#            it durably, and what a power cut takes before that is found out by the boot id and counts as a lost
#            run
#
# In braces so that the whole text is parsed before any of it runs: an upgrade may replace this file.
{
set -u
stop=${LOOP_STOP-}
unset LOOP_STOP
mode=$1 dir=$2 timeout=$3 grace=$4 boot=$5 ns=$6
shift 7

identity() { # fields 1, 4 and 22 of the stat file of a process
  read -r stat <"/proc/self/fd/3/$1/stat" || exit 70
  pid=${stat%% *}
  set -- ${stat##*) }
  parent=$2
  shift 19
  start=$1
}

identity self
inner=$pid since=$start
[ "$mode" = group ] || identity "$parent" # the claim names unshare, which the host started and which ends last
exec 3<&-

lock=no
command -v flock >/dev/null && lock=yes
mine=$dir/claim.$pid
printf 'v 1\npid %s\nstart %s\nboot %s\nns %s\nmode %s\nlock %s\n' "$pid" "$start" "$boot" "$ns" "$mode" "$lock" >"$mine" || exit 70
# Locked before it becomes the claim: who can not see this process asks the kernel whether it lives.
exec 8<"$mine"
[ $lock = no ] || flock -n 8 || exit 70
ln "$mine" "$dir/claim" 2>/dev/null || exit 70

input=/dev/null
[ -f "$dir/prompt" ] && input=$dir/prompt
read -r began _ </proc/uptime
child= stopper=
signal() {
  { kill -s "$1" -- "-$child" || kill -s "$1" "$child"; } 2>/dev/null
}
asked() { # the first time politely, where there is a signal for that; in the background, since a trap holds up the end
  [ -n "$child" ] || return
  [ -n "$stop" ] || { signal TERM; return; }
  signal "${stop% *}"
  (
    trap - TERM
    sleep "${stop#* }"
    signal TERM
  ) >/dev/null 2>&1 8<&- &
  stopper=$! stop=
}
trap asked TERM
setsid "$@" <"$input" >>"$dir/out" 2>>"$dir/err" 8<&- &
child=$!
printf 'v 1\npid %s\nstart %s\nchild %s\n' "$inner" "$since" "$child" >"$dir/pid"

# In a namespace nothing can signal this process, but the command can end its timer: then there is a new one. Nor is a
# `sleep` believed that ended early: an agent that types `pkill sleep` means its own.
arm() { # with how long to sleep at first
  (
    trap - TERM CHLD
    sleep "$1"
    while read -r now _ </proc/uptime; do
      left=$((${timeout%.*} - (${now%.*} - ${began%.*})))
      [ "$left" -gt 0 ] || break
      sleep "$left"
    done
    printf '' >"$dir/timeout" # not `:`, which ends a shell that cannot write there
    [ -z "$stop" ] || { kill -s "${stop% *}" -- "-$child"; sleep "${stop#* }"; }
    kill -s TERM -- "-$child"
    sleep "$grace"
    kill -s KILL -- "-$child"
  ) >/dev/null 2>&1 8<&- &
  timer=$!
}
arm "$timeout"
rang=
trap 'rang=yes; kill -0 "$timer" 2>/dev/null || arm 0.1' CHLD

# A trapped signal interrupts wait; the command has ended only when it can no longer be signalled. Where its own end
# rang (145: CHLD), bash tells its code only when it is asked again; dash, which told it already, says 127 then.
while :; do
  rang=
  wait "$child"
  code=$?
  kill -0 "$child" 2>/dev/null && continue
  [ "$rang$code" = yes145 ] || break
  wait "$child"
  again=$?
  [ "$again" = 127 ] || code=$again
  break
done
trap - CHLD
read -r ended _ </proc/uptime

timed=no
[ -f "$dir/timeout" ] && timed=yes
to=$dir/exit
# What the command may have put there must not be followed, or waited for: it is replaced.
{ [ -e "$to" ] || [ -L "$to" ]; } && to=$dir/exit.$inner
printf 'v 1\ncode %s\ntimeout %s\nbegan %s\nended %s\n' "$code" "$timed" "$began" "$ended" >"$to"
[ "$to" = "$dir/exit" ] || mv -fT "$to" "$dir/exit"
echo 'ended yes' >>"$dir/claim" # the doorbell: hosts watch this file, which no flood of output touches

if [ "$mode" = group ]; then for waiting in "$timer" $stopper; do {
  sleeper=
  read -r sleeper _ <"/proc/$waiting/task/$waiting/children"
  kill -s KILL $sleeper "$waiting"
} 2>/dev/null; done; fi
exit "$code"
}
