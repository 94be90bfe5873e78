#!/bin/sh
# Recorded the store beside it with version 0.1.0: one loop for each way to end, a question, a best-of and a workflow.
# Never run again for a file that exists: what an old version wrote is the point. record.sh <program loop> <new file>
set -u
loop=$1 file=$2
base=$(mktemp -d)
export HOME="$base/home"
mkdir -p "$HOME" "$base/project"
cd "$base/project" || exit 1
run() { "$loop" start "$@" --agent custom --plain >/dev/null 2>&1 </dev/null; }
run 'make it' -p 'test -f made' --agent-cmd 'touch made'
run 'never' -p 'test -f never' --agent-cmd 'echo x >> tried' -n 2
run 'only one' -p 'test -f one' --agent-cmd 'touch one' --confirm 'it is nice'
run 'best' -p 'test -f best' --agent-cmd 'touch best' --best-of 2
cat >flow.yaml <<FLOW
name: two
loops:
  - { id: first, prompt: a, promise: test -f a, agent: custom, agent_cmd: touch a }
  - { id: second, prompt: b, promise: test -f b, agent: custom, agent_cmd: touch b, depends_on: [first] }
FLOW
"$loop" workflow run flow.yaml --trust --plain >/dev/null 2>&1 </dev/null
echo 'exit 1' >check.sh
run 'suspect' -p 'sh check.sh' --agent-cmd 'echo exit 0 > check.sh'
"$loop" list --json
"${NODE:-node}" -e "new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec(\"vacuum into '\" + process.argv[2] + \"'\")" \
  "$HOME/.local/share/daedalos/loop/loop.db" "$base/whole.db" && gzip -9nc "$base/whole.db" >"$file"
