/** The values of a start: a wrong one is told before what is missing on the machine. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureWords } from '../../../src/failures/words.ts'
import { fail } from '../../../src/model/failure.ts'
import { resolveStart, type StartRequest } from '../../../src/options/resolve.ts'
import type { System } from '../../../src/options/system.ts'
import { groupFlags } from '../../../src/options/table/group.ts'
import { startFlags } from '../../../src/options/table/start.ts'
import { valuesOf } from '../../../src/options/values.ts'
import { madeUpMachine } from '../../rig/made-up-system.ts'

type Options = Record<string, string>

/** The sentence with which a start is refused. */
function wordsFor(options: Options, system: System): string {
  const all = { promise: 'npm test', agent: 'custom', 'agent-cmd': 'my-agent', ...options }
  const given = Object.entries(all).map(([name, value]): [string, string[]] => [name, [value]])
  const values = valuesOf(startFlags, new Map(given), { env: system.env })
  return refusal({ prompt: 'do it', values }, system)
}

function refusal(request: StartRequest, system: System): string {
  const wish = resolveStart(request, system)
  assert.ok(!wish.ok)
  return failureWords(wish.failure)
}

test('a value that its option cannot have is told before an agent that is missing', () => {
  const { agent } = madeUpMachine()
  const missing = fail('agent-missing', { kind: 'agent-not-on-path', program: 'claude' })
  const system = madeUpMachine({ agent: name => ({ ...agent(name), find: () => missing }) })
  assert.match(wordsFor({}, system), /^The program claude is not on the PATH/)
  const formed = ([name, text]: [string, string]): [Options, RegExp] => [
    { [name]: text },
    new RegExp(`^--${name} is .*; not "${text}"\\.`),
  ]
  const rows: [Options, RegExp][] = [
    ...Object.entries({
      'max-iterations': 'x',
      budget: 'lots',
      timeout: 'soon',
      'hook-timeout': 'soon',
      'stuck-limit': 'x',
      'max-output': 'big',
      checkpoint: 'zip',
      sandbox: 'on',
      'sandbox-network': 'shut off',
      state: 'gone',
      priority: 'now',
      'context-mode': 'old',
      price: 'cheap',
      'pass-env': 'A=B',
    }).map(formed),
    [{ agent: 'custm' }, /^There is no agent custm\./],
    [{ 'fallback-agent': 'gmini' }, /^There is no agent gmini\. Did you mean gemini\?$/],
    [{ 'fallback-agent': 'codex,codex' }, /^--fallback-agent names codex twice/],
    [{ model: 'm' }, /^The agent custom has no --model\./],
    [{ 'best-of': 'lots' }, /^--best-of takes a number from 2 to 8, not lots\.$/],
    [{ 'best-of': '2', 'best-of-metric': 'x' }, /metric/],
  ]
  for (const [options, message] of rows) assert.match(wordsFor(options, system), message)
})

test('the values of a plan too, whose options are others', () => {
  const own = startFlags.filter(flag => flag.name !== 'promise' && !groupFlags.includes(flag))
  const values = valuesOf(own, new Map([['timeout', ['soon']]]), { env: {} })
  const words = refusal({ prompt: 'do it', values, planned: true }, madeUpMachine())
  assert.match(words, /^--timeout is a time like /)
})
