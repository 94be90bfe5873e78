#!/usr/bin/env bash
# The step of action.yml: runs one loop, writes outputs and the job summary, and ends with the exit code of the loop.
# Inputs come by variables, never as text of the script. The loop has a store of its own, so @last is this one.
set -uo pipefail
XDG_DATA_HOME=$(mktemp -d "$RUNNER_TEMP/loop-XXXXXX")
export XDG_DATA_HOME
args=("$LOOP_PROMPT" --plain)
while IFS= read -r line; do
  [ -z "${line//[[:space:]]/}" ] || args+=(--promise "$line")
done <<<"$LOOP_PROMISE"
[ -z "$LOOP_AGENT_NAME" ] || args+=(--agent "$LOOP_AGENT_NAME")
[ -z "$LOOP_BUDGET_USD" ] || args+=(--budget "$LOOP_BUDGET_USD")
[ -z "$LOOP_MAX" ] || args+=(--max-iterations "$LOOP_MAX")
[ -z "$LOOP_LAST_WORD" ] || args+=(--holdout "$LOOP_LAST_WORD")
# Neither the agent nor the promise has a use for them, and the hold-out is not for the agent.
unset LOOP_PROMPT LOOP_PROMISE LOOP_AGENT_NAME LOOP_BUDGET_USD LOOP_MAX LOOP_LAST_WORD
summary=$GITHUB_STEP_SUMMARY output=$GITHUB_OUTPUT
said=$XDG_DATA_HOME/said
env -u GITHUB_OUTPUT -u GITHUB_STEP_SUMMARY -u GITHUB_ENV -u GITHUB_PATH loop start "${args[@]}" 2> >(tee "$said" >&2)
code=$?
if ! document=$(loop status @last --json 2>/dev/null); then
  { echo '### loop could not start'; printf '\n```text\n'; tail -n 20 "$said"; echo '```'; } >>"$summary"
  exit "$code"
fi
id=$(printf '%s' "$document" | sed -n 's/^{"id":"\([a-z0-9]*\)".*/\1/p')
archive=$RUNNER_TEMP/loop-$id.tar.gz
if loop export @last -o "$archive" --force >/dev/null; then
  text=$(tar xzOf "$archive" "loop-$id/receipt.txt")
else
  archive='' text=$(loop status @last)
fi
DOCUMENT=$document TEXT=$text ARCHIVE=$archive SUMMARY=$summary OUTPUT=$output node -e '
const { appendFileSync } = require("node:fs")
const { DOCUMENT, TEXT, ARCHIVE, SUMMARY, OUTPUT } = process.env
const loop = JSON.parse(DOCUMENT)
const isSuspect = loop.status !== "completed" && loop.doubts.some(({ how }) => how === "suspect")
const verdict = isSuspect ? "SUSPECT" : (loop.ship?.verdict ?? "RESEARCH")
const cost = loop.costUsd ?? ""
const money = cost === "" ? "unknown" : `$${cost}${loop.costIncomplete ? " or more" : ""}`
const cell = text => String(text).replace(/[&<>|`*_\[\]\\]/g, c => `&#${c.charCodeAt(0)};`).replace(/\s+/g, " ")
const criteria = Object.entries(loop.criteria ?? {}).map(([name, { verdict: said, why }]) => `| ${cell(name)} | ${cell(said ?? "not run")} | ${cell(why ?? "")} |`)
const fence = "`".repeat(Math.max(3, ...Array.from(TEXT.matchAll(/`+/g), ([run]) => run.length + 1)))
appendFileSync(SUMMARY, [
  `### ${verdict}: loop ${loop.id} ${loop.status}`, "", cell(loop.reason), "",
  `| iterations | cost | time | agent |`, `|--:|--:|--:|---|`,
  `| ${loop.iteration} of ${loop.maxIterations ?? "unlimited"} | ${money} | ${Math.round(loop.elapsedMs / 1000)}s | ${cell(loop.agent)} |`, "",
  `| criterion | verdict | |`, `|---|---|---|`, ...criteria, "",
  fence + "text", TEXT, fence, "",
].join("\n"))
appendFileSync(OUTPUT, `id=${loop.id}\nstatus=${loop.status}\nverdict=${verdict}\ncost=${cost}\narchive=${ARCHIVE}\n`)
'
exit "$code"
