#!/bin/sh
# The shim of one run, file protocol 1 (frozen: hosts of other versions read these files).
# It runs a command with output directly to files, enforces its timeout and writes how the command ended, whether the
# host that started it is still alive or not. In a PID namespace the shim is process 1: when it ends, the kernel kills
# everything the command has left behind. Every program that is called here costs the run a millisecond.
#
#   [unshare ...] shim.sh MODE DIR TIMEOUT_S GRACE_S BOOT NS -- COMMAND [ARG...]
#     MODE   namespace | user-namespace (entered by the host, see namespaces.ts) | group
#     3      an open file: /proc of the host, by which the shim learns its pid outside of its namespace
#     claim  created exclusively, before anything else: who creates it runs the command, and nobody else ever will;
#            locked while the run lives
#     pid    the process to signal (TERM is passed on to the command), and the process of the command
#     LOOP_STOP  in the environment, removed for the command: "INT 3.000" sends INT instead of TERM, on request and at
#            the timeout, and TERM that many seconds later
#     exit   complete, with the end of its last line, once the command has ended. Not fsynced: the host records it
#            durably. If a power cut destroys it before that, the boot id differs, and the run counts as lost
#
# In braces, so that the shell parses the whole file before it runs any of it: an upgrade may replace the file.
{
set -u
stop=${LOOP_STOP-}
unset LOOP_STOP
mode=$1 dir=$2 timeout=$3 grace=$4 boot=$5 ns=$6
shift 7

identity() { # fields 1, 4 and 22 of the stat file of a process
  read -r stat <"/proc/self/fd/3/$1/stat" || exit 70
  pid=${stat%% *}
  # shellcheck disable=SC2086 # its fields, as words; globbing finds nothing in numbers
  set -- ${stat##*) }
  parent=$2
  shift 19
  start=$1
}

identity self
inner=$pid since=$start
[ "$mode" = group ] || identity "$parent" # the claim names `unshare`: the host started it, and it ends last
exec 3<&-

lock=no
command -v flock >/dev/null && lock=yes
mine=$dir/claim.$pid
printf 'v 1\npid %s\nstart %s\nboot %s\nns %s\nmode %s\nlock %s\n' "$pid" "$start" "$boot" "$ns" "$mode" "$lock" >"$mine" || exit 70
# Locked before it becomes the claim: a host in another PID namespace can only ask for the lock.
exec 8<"$mine"
[ $lock = no ] || flock -n 8 || exit 70
ln "$mine" "$dir/claim" 2>/dev/null || exit 70

input=/dev/null
[ -f "$dir/prompt" ] && input=$dir/prompt
read -r began _ </proc/uptime
child=''
stopper=''
# shellcheck disable=SC2317 # called by the traps below
signal() {
  { kill -s "$1" -- "-$child" || kill -s "$1" "$child"; } 2>/dev/null
}
# shellcheck disable=SC2317
asked() { # the first time with the stop signal, if there is one; in the background, because a trap delays the end
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

# In a namespace nothing can signal this process, but the command can kill its timer: then a new one is started. A
# `sleep` that ends early does not count either: an agent that types `pkill sleep` means its own.
arm() { # $1: how long to sleep at first
  (
    trap - TERM CHLD
    sleep "$1"
    while read -r now _ </proc/uptime; do
      left=$((${timeout%.*} - (${now%.*} - ${began%.*})))
      [ "$left" -gt 0 ] || break
      sleep "$left"
    done
    printf '' >"$dir/timeout" # not `:`, a special builtin: a shell that cannot write there would exit
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

# A trapped signal interrupts `wait`; the command has ended only if it cannot be signalled any more. If its own end
# interrupted the wait (145: CHLD), bash gives its code in a second `wait`; dash gave it already, and then says 127.
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
# The command may have put a link or a FIFO there: do not follow or open it, replace it.
{ [ -e "$to" ] || [ -L "$to" ]; } && to=$dir/exit.$inner
printf 'v 1\ncode %s\ntimeout %s\nbegan %s\nended %s\n' "$code" "$timed" "$began" "$ended" >"$to"
[ "$to" = "$dir/exit" ] || mv -fT "$to" "$dir/exit"
echo 'ended yes' >>"$dir/claim" # the doorbell: hosts watch this file, because output does not touch it

if [ "$mode" = group ]; then for waiting in "$timer" $stopper; do {
  sleeper=
  read -r sleeper _ <"/proc/$waiting/task/$waiting/children"
  kill -s KILL ${sleeper:+"$sleeper"} "$waiting"
} 2>/dev/null; done; fi
exit "$code"
}
