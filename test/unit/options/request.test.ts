/** The same start in three ways: the command line, the body of the API and the tool of MCP give the same result. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { commands } from '../../../src/cli/command-table.ts'
import { readFlags } from '../../../src/cli/flags.ts'
import { failureWords } from '../../../src/failures/words.ts'
import { tools } from '../../../src/mcp/contract.ts'
import { withConfig } from '../../../src/options/config/load.ts'
import { resolveRequest } from '../../../src/options/request.ts'
import { resolveStart, type StartWish } from '../../../src/options/resolve.ts'
import { type Flag, keyOf } from '../../../src/options/table/flag.ts'
import { groupFlags } from '../../../src/options/table/group.ts'
import { startFlags } from '../../../src/options/table/start.ts'
import { routes } from '../../../src/server/api/contract.ts'
import { madeUpMachine, tree } from '../../rig/made-up-system.ts'

const machine = madeUpMachine({ env: { HOME: '/made-up/home', LOOP_TIMEOUT: '7m' }, readStdin: null })
const body = routes.start.body
const tool = tools.start.input
const ofPrograms = startFlags.filter(flag => Object.hasOwn(body.shape, keyOf(flag)))
/** Flags that make a group cannot be combined freely, and have a test of their own. */
const ofLoops = ofPrograms.filter(flag => !groupFlags.includes(flag) && flag.name !== 'counsel')

async function typed(args: string[]): Promise<StartWish> {
  const command = commands.find(({ name }) => name === 'start')
  assert.ok(command)
  const input = readFlags(command, args, machine.env)
  assert.ok(input.ok, JSON.stringify(input))
  const configured = await withConfig(input.value, machine)
  assert.ok(configured.ok)
  const [prompt] = input.value.positionals
  const wish = resolveStart({ prompt, values: configured.value.values }, machine)
  assert.ok(wish.ok, JSON.stringify(wish))
  return wish.value
}

/** The wish over the API, and over MCP if an agent may give these keys. */
async function requested(json: Record<string, unknown>): Promise<StartWish[]> {
  const wishes: StartWish[] = []
  const isForAgents = Object.keys(json).every(key => Object.hasOwn(tool.shape, key))
  for (const schema of isForAgents ? [body, tool] : [body]) {
    const parsed = schema.parse(JSON.parse(JSON.stringify(json)))
    const resolved = await resolveRequest(parsed, machine)
    assert.ok(resolved.ok, JSON.stringify(resolved))
    wishes.push(resolved.value.wish)
  }
  return wishes
}

/** Valid JSON values by option; a command line has the same values as text. */
const byName: Record<string, unknown[]> = {
  promise: ['npm test', ['lint=npm run lint', 'unit=npm test']],
  confirm: ['it looks right', ['one', 'two:code-review']],
  'must-not': ['todo=grep -r TODO .', ['a=b', 'c=d']],
  protect: ['test/**', ['*.lock', 'docs/']],
  allow: ['test/**', ['package.json', 'docs/']],
  holdout: ['sh /home/me/check.sh'],
  agent: ['claude', 'codex'],
  'agent-cmd': ['/bin/agent --yes', '--yes'],
  model: ['large'],
  'fallback-agent': ['gemini', 'gemini,opencode'],
  'on-complete': ['make ship'],
  'on-failure': ['loop rollback "$LOOP_ID" initial'],
  // Any other is refused without a sandbox.
  'sandbox-network': ['open'],
  cwd: [tree, `${tree}/below`],
}
const byKind: Record<string, unknown[]> = {
  N: [1, 20, '20', 'unlimited'],
  'N|off': [1, 9, 'off'],
  time: ['90s', '1h30m', '300'],
  size: ['2GB', '64kB'],
  USD: [25, 2.5, '$3', 'none'],
  'USD/USD': ['1.25/10', '1/2/3'],
}

function valuesFor({ name, takes }: Flag): unknown[] {
  if (takes === undefined) return [true, false]
  const found = byName[name] ?? byKind[takes]
  if (found) return found
  // btrfs is missing on this machine.
  return takes.split('|').filter(word => word !== 'btrfs')
}

test('every option that a program may give is tried', () => {
  for (const flag of ofPrograms) assert.ok(valuesFor(flag).length > 0, flag.name)
  assert.deepEqual(
    startFlags.filter(flag => !ofPrograms.includes(flag)).map(({ name }) => name),
    [
      'inject',
      'background',
      'session',
      'notify',
      'pass-env',
      'trust',
      'dry-run',
      'verbose',
      'plain',
      'yes',
      'no-input',
    ],
  )
  const ofTool = Object.keys(tool.shape)
  assert.deepEqual(
    Object.keys(body.shape).filter(key => !ofTool.includes(key)),
    ['on_complete', 'on_failure', 'injected', 'trust_config'],
    'what acts for the user is for nobody who is not',
  )
})

const always = ['promise', 'agent', 'cwd']

test('the same start is the same wish, typed or as JSON', async () => {
  const rows = ofLoops.filter(({ name }) => !always.includes(name))
  const some = fc.record(
    Object.fromEntries(rows.map(flag => [flag.name, fc.constantFrom(...valuesFor(flag))])),
    {
      requiredKeys: [],
    },
  )
  const all = fc.record(
    Object.fromEntries(always.map(name => [name, fc.constantFrom(...(byName[name] ?? []))])),
  )
  await fc.assert(
    fc.asyncProperty(some, all, async (more, needed) => {
      const options: Record<string, unknown> = { ...more, ...needed }
      const compared = options['protect'] !== undefined || options['allow'] !== undefined
      fc.pre(!(options['checkpoint'] === 'none' && compared))
      const args = Object.entries(options).flatMap(([name, value]) =>
        [value].flat().map(text => `--${name}=${String(text)}`),
      )
      const json = Object.fromEntries(
        Object.entries(options).map(([name, value]) => [keyOf({ name }), value]),
      )
      const wish = await typed(['do it', '-b', ...args])
      for (const other of await requested({ prompt: 'do it', ...json })) assert.deepEqual(other, wish)
    }),
    { numRuns: 200 },
  )
})

test('each option alone, with each of its values', async () => {
  const needed = { promise: 'npm test', agent: 'claude', cwd: tree }
  for (const flag of ofLoops)
    for (const value of valuesFor(flag)) {
      const json = { prompt: 'do it', ...needed, [keyOf(flag)]: value }
      const base = Object.entries(needed).filter(([name]) => name !== flag.name)
      const args = base.map(([name, text]) => `--${name}=${text}`)
      for (const text of [value].flat()) args.push(`--${flag.name}=${String(text)}`)
      const wish = await typed(['do it', '-b', ...args])
      for (const other of await requested(json)) assert.deepEqual(other, wish, flag.name)
    }
})

test('a start that makes a group says which, as JSON; texts for one loop are refused', async () => {
  const base = { prompt: 'do it', promise: 'npm test', agent: 'claude', cwd: tree }
  const groupOf = async (more: Record<string, unknown>) => {
    const resolved = await resolveRequest(body.parse({ ...base, ...more }), machine, { limit: 3 })
    return resolved.ok ? resolved.value.group : failureWords(resolved.failure)
  }
  assert.equal(await groupOf({}), null)
  const advised = await groupOf({ counsel: true })
  assert.ok(advised && typeof advised === 'object' && advised.bestOf?.inTree)
  const isolated = await groupOf({ isolated: true })
  assert.ok(isolated && typeof isolated === 'object')
  assert.deepEqual([isolated.program, isolated.bestOf?.attempts, isolated.parallel], ['best-of', 1, 3])
  const asked = { best_of: 3, best_of_metric: 'min:wc -c < a', first_wins: true, best_of_waves: 2 }
  const several = await groupOf(asked)
  assert.ok(several && typeof several === 'object')
  const { attempts, metric, firstWins, waves } = several.bestOf ?? {}
  assert.deepEqual(
    { attempts, metric, firstWins, waves },
    { attempts: 3, metric: { command: 'wc -c < a', better: 'less' }, firstWins: true, waves: 2 },
  )
  assert.equal(await groupOf({ best_of: 9 }), '--best-of takes a number from 2 to 8, not 9.')
  assert.match(String(await groupOf({ best_of: 2, injected: ['x'] })), /^injected is for one loop/)
})

test('an additional key of the API: texts for the first iteration', async () => {
  const resolved = await resolveRequest(
    body.parse({ prompt: 'x', promise: 'y', agent: 'claude', cwd: tree, injected: ['mind the gap'] }),
    machine,
  )
  assert.ok(resolved.ok)
  assert.deepEqual(resolved.value.wish.injected, ['mind the gap'])
})

test('a key that is not known is refused with the one that was meant', () => {
  const message = (json: object) => body.safeParse(json).error?.issues.map(issue => issue.message) ?? []
  const good = { prompt: 'x', promise: 'y', cwd: tree }
  assert.deepEqual(message(good), [])
  assert.deepEqual(message({ ...good, max_iteration: 3 }), [
    'Unrecognized key: "max_iteration". Did you mean "max_iterations"?',
  ])
  assert.match(
    message({ ...good, wobble: 3 })[0] ?? '',
    /^Unrecognized key: "wobble"\. There are: prompt, promise, /,
  )
  for (const name of ['trust', 'session', 'inject', 'background', 'graceMs', '__proto__x'])
    assert.match(message({ ...good, [name]: true })[0] ?? '', /^Unrecognized key: /, name)
})

test('a prompt that means stdin is refused, because a request has none', async () => {
  const resolved = await resolveRequest(body.parse({ prompt: '-', promise: 'y', cwd: tree }), machine)
  assert.ok(!resolved.ok)
  assert.equal(failureWords(resolved.failure), 'Give the prompt as text: there is no standard input here.')
})
