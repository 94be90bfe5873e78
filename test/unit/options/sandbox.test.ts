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

test('hosts that it reaches: all, none, or those of a list', () => {
  const rows: [string, object][] = [
    ['open', {}],
    ['none', { network: [] }],
    ['A.example, *.b.example:8443', { network: ['a.example', '*.b.example:8443'] }],
  ]
  for (const [text, expected] of rows)
    assert.deepEqual(sandboxFor({ sandbox: 'required', 'sandbox-network': text }), {
      level: 'files',
      ...expected,
    })
})

test('a network of its own is a matter of the sandbox that is tried', () => {
  const noNetwork = madeUpMachine({
    sandbox: network => (network ? { why: 'refused', said: 'RTM_NEWADDR: no' } : null),
  })
  assert.deepEqual(sandboxFor({ sandbox: 'required' }, noNetwork), { level: 'files' })
  assert.deepEqual(sandboxFor({ sandbox: 'required', 'sandbox-network': 'open' }, noNetwork), {
    level: 'files',
  })
  assert.match(
    wordsOf(asked({ sandbox: 'required', 'sandbox-network': 'none' }, noNetwork)),
    /^--sandbox required, and there is none: bubblewrap cannot make one here \(RTM_NEWADDR: no\)\./,
  )
  const wanted = { level: 'none', why: 'refused', said: 'RTM_NEWADDR: no', network: ['a.example'] }
  assert.deepEqual(sandboxFor({ sandbox: 'auto', 'sandbox-network': 'a.example' }, noNetwork), wanted)
})

test('each way to get it wrong has a sentence', () => {
  const rows: [Record<string, string>, RegExp][] = [
    [{ sandbox: 'on' }, /^--sandbox is auto, required or off; not "on"\.$/],
    [{ sandbox: 'auto', 'sandbox-write': '/elsewhere' }, /^--sandbox-write \/elsewhere is not there\. Give/],
    [{ 'sandbox-network': 'none' }, /^--sandbox-network is about a sandbox, and there is none/],
    [
      { sandbox: 'auto', 'sandbox-network': 'https://a.example' },
      /^--sandbox-network is open, none, or hosts with commas between them: .*; not "https:\/\/a\.example"\.$/,
    ],
    [{ sandbox: 'auto', 'sandbox-network': 'localhost' }, /this machine with a port from 1024 on/],
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
