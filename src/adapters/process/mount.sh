#!/bin/sh
# Becomes a command that sees a working copy at the path of its tree. Runs inside a run (see shim.sh), in the mount
# namespace that the run has anyway: nothing is mounted outside of it, and with its last process all of it is gone.
#
#   mount.sh MODE CWD { AT HOME LAYERS | AT UPPER - }... -- COMMAND [ARG...]
#     MODE    namespace | user-namespace, as contain.ts chose it
#     HOME    has the links `upper`, `work` and those that LAYERS names: options of an overlay cannot hold every path
#     LAYERS  lower-0:lower-1:…; `-`: UPPER itself is bound to AT
#
# A mount that fails ends it with 126: the command must not run in the tree of the user.
#
# In braces so that the whole text is parsed first: a mount may hide this file.
{
set -u
mode=$1 cwd=$2
shift 2
no() {
  echo "loop: the working copy cannot be mounted at $1; end what uses it, then resume" >&2
  exit 126
}
# In a user namespace an overlay keeps its notes in attributes that a user may set.
[ "$mode" = namespace ] && notes= || notes=,userxattr
while [ "$1" != -- ]; do
  if [ "$3" = - ]; then
    mount --bind "$2" "$1" || no "$1"
  else
    cd "$2" || no "$1"
    mount -t overlay -o "lowerdir=$3,upperdir=upper,workdir=work,index=off$notes" overlay "$1" || no "$1"
  fi
  shift 3
done
shift
cd "$cwd" || no "$cwd"
# What the mounts needed is not for the command: it could undo them.
[ "$mode" = namespace ] || exec setpriv --inh-caps=-all --ambient-caps=-all "$@"
exec "$@"
}
