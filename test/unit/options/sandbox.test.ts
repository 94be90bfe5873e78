/** From options to the sandbox of a loop, on a simulated machine. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Result } from '../../../src/model/failure.ts'
import { resolveStart, type StartWish } from '../../../src/options/resolve.ts'
import { startFlags } from '../../../src/options/table/start.ts'
import { valuesOf } from '../../../src/options/values.ts'
import { madeUpMachine } from '../../rig/made-up-system.ts'
import { wordsOf } from '../../rig/said.ts'

const none = madeUpMachine({ sandbox: () => ({ why: 'apparmor', said: 'RTM_NEWADDR: no' }) })

function asked(given: Record<string, string>, system = madeUpMachine()): Result<StartWish> {
  const all = { promise: 'x', agent: 'custom', 'agent-cmd': 'x', ...given }
  const typed = new Map(Object.entries(all).map(([name, text]): [string, string[]] => [name, [text]]))
  return resolveStart({ prompt: 'do it', values: valuesOf(startFlags, typed, { env: {} }) }, system)
}

function sandboxFor(given: Record<string, string>, system = madeUpMachine()) {
  const wish = asked(given, system)
  assert.ok(wish.ok, JSON.stringify(wish))
  return wish.value.spec.sandbox
}

test('where there is one, it is taken; a promise that asks loop itself cannot be in it', () => {
  assert.equal(sandboxFor({}), undefined)
  assert.deepEqual(sandboxFor({ sandbox: 'auto' }), { level: 'files' })
  assert.deepEqual(sandboxFor({ sandbox: 'required' }), { level: 'files' })
  const check = { promise: '"$LOOP_PROGRAM" check green --test=x' }
  assert.deepEqual(sandboxFor({ sandbox: 'auto', ...check }), { level: 'none', why: 'check' })
  assert.deepEqual(sandboxFor({ sandbox: 'auto', session: 'true' }), { level: 'none', why: 'session' })
})

test('where there is none, auto goes on and says why', () => {
  const expected = { level: 'none', why: 'apparmor', said: 'RTM_NEWADDR: no' }
  assert.deepEqual(sandboxFor({ sandbox: 'auto' }, none), expected)
  assert.equal(sandboxFor({ sandbox: 'off' }, none), undefined)
})

test('each way to get it wrong has a sentence', () => {
  const rows: [Record<string, string>, RegExp][] = [
    [{ sandbox: 'on' }, /^--sandbox is auto, required or off; not "on"\.$/],
    [{ sandbox: 'auto', 'sandbox-write': '/elsewhere' }, /^--sandbox-write \/elsewhere is not there\. Give/],
    [
      { sandbox: 'required', session: 'true' },
      /^--sandbox is about an agent that loop starts; with --session/,
    ],
    [
      { sandbox: 'required', promise: 'loop check red' },
      /^--sandbox required does not go with this promise, which asks loop itself: loop check red\./,
    ],
  ]
  for (const [given, sentence] of rows) assert.match(wordsOf(asked(given)), sentence)
  assert.match(
    wordsOf(asked({ sandbox: 'required' }, none)),
    /^--sandbox required, and there is none: AppArmor does not permit .* \(RTM_NEWADDR: no\)\. .*bwrap-userns-restrict.* Without one: --sandbox auto, or off\.$/,
  )
})
