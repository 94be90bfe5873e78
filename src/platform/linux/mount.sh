#!/bin/sh
# Mounts a working copy at the path of its tree, then becomes the command. It runs between shim.sh and the command, in
# the mount namespace of the run: nothing is mounted outside of it, and with the last process all mounts are gone.
#
#   mount.sh MODE CWD { AT HOME LAYERS | AT UPPER - }... -- COMMAND [ARG...]
#     MODE    namespace | user-namespace
#     HOME    a directory with `upper`, `work` and the links that LAYERS names: mount options cannot hold every path
#     LAYERS  lower-0:lower-1:…, or `-`: bind UPPER to AT
#
# If a mount fails, it exits with 126: the command must not run in the user's own tree.
#
# In braces, so that the shell parses the whole file first: a mount may hide it.
{
set -u
mode=$1 cwd=$2
shift 2
no() {
  echo "loop: the working copy cannot be mounted at $1; end what uses it, then resume" >&2
  exit 126
}
# In a user namespace an overlay must keep its metadata in attributes that a plain user may set.
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
# Give up the rights that the mounts needed: the command could undo them.
[ "$mode" = namespace ] || exec setpriv --inh-caps=-all --ambient-caps=-all "$@"
exec "$@"
}
