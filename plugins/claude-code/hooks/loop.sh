#!/bin/sh
# Called at every stop and start of a session; with mcp it becomes the MCP server. Mostly there is no loop for it:
# that is found out here, with builtins alone, and nothing is started. A marker of a loop that is under way is three
# lines (tree, session, program) and more; see docs/decisions/0040-session.md.
run() {
  [ -x "$program" ] || program=$(command -v loop) || program=${0%/*}/../../../bin/loop
  [ -x "$program" ] && exec "$program" "$@"
}
program=
if [ "$1" = mcp ]; then
  run mcp
  echo 'loop: the program loop is not on the PATH. Install it: npm install -g loopd' >&2
  exit 127
fi
[ -z "${LOOP_RUN-}" ] || exit 0
here=$PWD
cd -P . 2>/dev/null && here=$PWD
tree=$here
[ -z "${CLAUDE_PROJECT_DIR-}" ] || { cd -P "$CLAUDE_PROJECT_DIR" 2>/dev/null && tree=$PWD; }
found=
case ${XDG_DATA_HOME-} in /*) data=$XDG_DATA_HOME ;; *) data=${HOME-}/.local/share ;; esac
for marker in "$data"/daedalos/loop/sessions/*.loop; do
  [ -f "$marker" ] || continue
  { IFS= read -r root && IFS= read -r session && IFS= read -r program; } <"$marker" || continue
  if [ -n "$session" ]; then
    [ "$session" = "${CLAUDE_CODE_SESSION_ID-$session}" ] && found=1
  fi
  case $here/ in "${root%/}"/*) found=1 ;; esac
  case $tree/ in "${root%/}"/*) found=1 ;; esac
  [ -z "$found" ] || break
  program=
done
for dir in "$tree" "$here"; do
  [ -n "$found" ] && break
  for file in "$dir/.loop/state.json" "$dir/.loop/workflow-state.json"; do
    if [ -e "$file" ] || [ -h "$file" ]; then found=1; fi
  done
done
[ -n "$found" ] || exit 0
cd "$here" 2>/dev/null || : # the hook reads the directory of the session from its input too
run hook "$1"
echo '{"ok":true,"systemMessage":"loop: a loop is under way here, but the program loop is not on the PATH. The session is not held, and nothing is recorded as completed."}'
