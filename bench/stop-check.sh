#!/bin/bash
# The rules of the stop hook in bash and jq, as people write them today. For comparison only: loop never runs it.
set -eu
input=$(cat)
state=.loop/state.json
sessions=${XDG_DATA_HOME:-$HOME/.local/share}/daedalos/loop/sessions
[ -f "$state" ] || [ -f .loop/workflow-state.json ] || ls "$sessions"/*.loop >/dev/null 2>&1 || exit 0
IFS=$'\t' read -r session again < <(jq -r '[.session_id, (.stop_hook_active // false)] | @tsv' <<<"$input")
bound=$(cat "$sessions/bound" 2>/dev/null || echo "$session")
[ "$bound" = "$session" ] || exit 0
IFS=$'\t' read -r status stuck exit_signal unmet < <(
  jq -r '[.status, (.circuitBreaker.stuckCount // 0), (.exit_signal // false),
    ([.criteriaStatus | to_entries[] | select(.value == true or (.value | type == "object" and .met == true) | not) | .key] | join(", "))] | @tsv' "$state"
)
case $status in completed | cancelled | paused) exit 0 ;; esac
[ "$stuck" -lt 5 ] || exit 0
count=$(cat "$sessions/count" 2>/dev/null || echo 0)
[ "$again" = false ] || [ "$count" -lt 800 ] || exit 0
tasks=("${CLAUDE_CONFIG_DIR:-$HOME/.claude}/tasks/$session"/*.json)
pending=
[ ! -f "${tasks[0]}" ] || pending=$(jq -rs '[.[] | select(.status != "completed")][0] | "#\(.id) \(.subject)"' "${tasks[@]}")
echo $((count + 1)) >"$sessions/count"
if [ -n "$pending" ]; then
  jq -n --arg reason "Current task: $pending" '{ok: false, decision: "block", reason: $reason}'
elif [ -n "$unmet" ] || [ "$exit_signal" != true ]; then
  jq -n --arg reason "unmet criteria: $unmet" '{ok: false, decision: "block", reason: $reason}'
fi
