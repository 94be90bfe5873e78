/**
 * aider, `aider --message-file`. It has no JSON output and always exits with 0: its cost is read from the line
 * printed after each message, errors from the names of litellm's exceptions. Written from its source code, not from
 * recorded runs. It answers its own questions with yes, except for shell commands, which it therefore does not run.
 */
import type { Item, Tokens } from '../../model/agent.ts'
import type { Agent } from './agent.ts'
import { meaningOf } from './api-error.ts'
import { programCheck } from './program.ts'
import { hostsByKeys, modelKeys, providerKeys } from './provider.ts'
import { clipped } from './stream.ts'

const names = ['aider']

export const aider: Agent = {
  capabilities: {
    cost: 'reported',
    tokens: true,
    edits: true,
    continues: false,
    model: true,
    approves: 'edits in the work tree; it runs no shell commands',
  },
  program: { names, install: 'python -m pip install aider-install && aider-install' },
  endsItself: false,
  check: programCheck(names),
  keys: () => ['AIDER_*', ...providerKeys],
  provider: hostsByKeys,
  // It also reads keys from several files, and from variables of any provider.
  signedIn: ({ env }) => (modelKeys.some(key => env[key]) ? 'yes' : 'unknown'),
  call: spec => ({
    argv: [
      // Only the run knows the path of the prompt's file.
      ['/bin/sh', '-c', 'exec "$@" --message-file "$LOOP_PROMPT_FILE" </dev/null', 'aider'],
      spec.agentCmd,
      ['--yes-always', '--no-pretty', '--no-stream', '--no-fancy-input'],
      // Saving the tree is loop's task: nothing is committed and .gitignore stays unchanged.
      ['--no-auto-commits', '--no-dirty-commits', '--no-gitignore'],
      ['--no-check-update', '--no-show-model-warnings', '--no-suggest-shell-commands', '--no-detect-urls'],
      // Its history files belong to a person's own sessions.
      ['--chat-history-file', '/dev/null', '--input-history-file', '/dev/null'],
      ...(spec.model === undefined ? [] : ['--model', spec.model]),
    ].flat(),
    env: { AIDER_ANALYTICS: 'false' },
  }),
  read: () => {
    let isLimited = false
    return line => {
      const usage = usageIn(line)
      if (usage) {
        isLimited = false
        return [usage, { kind: 'end', ok: true }]
      }
      const [, edited] = /^Applied edit to (.+)$/.exec(line) ?? []
      if (edited) return [{ kind: 'edit', path: edited }]
      const [, model] = /^Main model: (\S+)/.exec(line) ?? []
      if (model) return [{ kind: 'session', id: null, model }]
      const [, error] = /^litellm\.(\w+Error)\b/.exec(line) ?? []
      if (error === 'RateLimitError') isLimited = true
      if (error) return [trouble(error, clipped(line, 300))]
      return line.trim() === '' || (isLimited && line.startsWith('Retrying in'))
        ? []
        : [{ kind: 'text', text: line }]
    }
  },
}

/** aider retries for a minute before it gives up: the last such error without a following answer counts. */
function trouble(error: string, why: string): Item {
  const [, said = ''] = /Exception - (.*)$/.exec(why) ?? []
  const isEmpty = meaningOf({ status: 0, message: said }) === 'auth'
  if (error === 'RateLimitError') return isEmpty ? { kind: 'auth', why } : { kind: 'limit', why }
  if (error === 'ServiceUnavailableError') return { kind: 'limit', why, limitKind: 'overload' }
  if (error === 'APIConnectionError') return { kind: 'limit', why, limitKind: 'network' }
  if (error === 'AuthenticationError' || error === 'PermissionDeniedError') return { kind: 'auth', why }
  return { kind: 'end', ok: false, why }
}

const line =
  /^Tokens: ([\d.,]+[kM]?) sent(?:, ([\d.,]+[kM]?) cache write)?(?:, ([\d.,]+[kM]?) cache hit)?, ([\d.,]+[kM]?) received\.(?:\s+Cost: \$([\d.,]+) message)?/

/** `Tokens: 2.3k sent, 125 received. Cost: $0.01 message, $0.05 session.`; aider itself rounds these numbers. */
function usageIn(printed: string): Item | null {
  const [found, sent, , hit, received, cost] = line.exec(printed) ?? []
  if (!found) return null
  const cached = count(hit)
  const tokens: Tokens = { input: Math.max(0, count(sent) - cached), cached, output: count(received) }
  return {
    kind: 'usage',
    span: 'step',
    tokens,
    costUsd: cost === undefined ? null : Number(cost.replaceAll(',', '')),
  }
}

function count(printed = '0'): number {
  const unit = { k: 1_000, M: 1_000_000 }[printed.at(-1) ?? ''] ?? 1
  return Math.round(Number(printed.replace(/[kM]$/, '').replaceAll(',', '')) * unit)
}
