/** How a run of an agent ended, in words: its result, its duration, and its reported cost. */

import { safeText } from '../../../core/text/plain-text.ts'
import type { EventOf } from '../../../model/loop/event.ts'
import { formatBytes, formatCost, formatDuration, formatTokens } from '../../../model/units.ts'
import { metWords } from '../../words/limit.ts'

type End = EventOf<'run.ended'>['data']

export function agentEnded(data: End): string[] {
  const problem = data.usageProblem === undefined ? [] : [`  usage: ${data.usageProblem}`]
  return [`  agent ${ended(data)}`, ...problem]
}

function ended(data: End): string {
  const time = formatDuration(data.durationMs)
  const output = [`${formatBytes(data.out.bytes + data.err.bytes)} of output`, ...spentWords(data)].join(', ')
  if (data.limit) return metWords(data.limit.kind ?? 'usage-limit', time, data.limit.why)
  if (data.auth !== undefined) return `may not use its model: ${data.auth}`
  if (data.failed !== undefined && data.how === 'exited') {
    return `failed after ${time} (exit ${data.exitCode}, ${output}): ${data.failed}`
  }
  switch (data.how) {
    case 'exited':
      return `ended after ${time} (exit ${data.exitCode}, ${output})`
    case 'unstartable':
      return `could not start (exit ${data.exitCode}): ${lastLine(data.err.tail)}`
    case 'timeout':
      return `stopped by its timeout after ${time} (${output}); its work is kept`
    case 'idle':
      return `stopped after ${time}: it printed nothing for too long (${output}); its work is kept`
    case 'killed':
      return `was killed after ${time} (exit ${data.exitCode})`
    case 'flooded':
      return `was stopped: it printed more than allowed (--max-output; ${output} kept)`
    case 'lingered':
      return `ended its work after ${time} and did not exit; it was stopped (${output})`
    case 'stopped':
      return `was stopped (${output}); its work is kept`
    default:
      return data.how satisfies never
  }
}

/** `$0.02`, `12.3k tokens`: what the agent said of itself. */
function spentWords({ costUsd, estimated, tokens, costIncomplete }: End): string[] {
  if (!tokens) return costIncomplete && costUsd === null ? ['cost unknown'] : []
  const known = { costEstimated: estimated === true, costIncomplete }
  const money = costUsd === null ? 'cost unknown' : formatCost(costUsd, known)
  return [`${formatTokens(tokens)} tokens`, money]
}

function lastLine(text: string): string {
  return safeText(text).trimEnd().split('\n').at(-1) ?? ''
}
