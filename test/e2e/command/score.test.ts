/** `loop score`: whole outputs, and its refusals. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRig } from '../../rig/rig.ts'

test('a text is scored with why, and what would raise it', async t => {
  const rig = makeRig(t)
  const scored = await rig.loop(['score', 'Fix auth. Tests pass. Use existing stack.'])
  assert.equal(scored.code, 0)
  assert.equal(
    scored.stdout,
    [
      'Score 4/10, fit 20: blocked, say more before an agent begins.',
      '  outcome      1/2  "auth" says what, not how much',
      '                    add a number or an answer that will be true: "p95 latency <100ms"',
      '  scope        1/2  "auth" is a part, not a place',
      '                    add the file, route or function: "/api/auth/token"',
      '  constraints  1/2  "Use existing stack" is a wish',
      '                    add what must not happen, or a limit: "no new deps, <500 LOC"',
      '  success      1/2  one check: tests',
      '                    add two ways to look: "all tests + manual QA"',
      '  done         0/2  implied',
      '                    add the state in which it is over: "PR merged to main"',
      '',
    ].join('\n'),
  )
  assert.deepEqual(rig.loops(), [])
})

test('what is no text is refused', async t => {
  const rig = makeRig(t)
  for (const [args, message] of [
    [[], /as one argument, in quotes, or - for stdin\.$/m],
    [['fix', 'auth'], /as one argument, in quotes, or - for stdin\.$/m],
    [[' '], /The text is empty\.$/m],
  ] as const) {
    const refused = await rig.loop(['score', ...args])
    assert.equal(refused.code, 4)
    assert.match(refused.stderr, message)
  }
})

test('the older rule, asked for or configured', async t => {
  const rig = makeRig(t)
  // 2 + 2 + 2 + 1 + 2 points.
  const spec = 'p95 latency of /api/auth/token is <100ms. No new deps. PR merged to main.'
  const shapeOf = async (...flags: string[]) => {
    const scored = await rig.loop(['score', spec, '--json', ...flags])
    return (JSON.parse(scored.stdout) as { score: number; shape: string }).shape
  }
  const middle = 'p95 latency of /api/auth/token is <100ms, without new endpoints'
  assert.equal(await shapeOf(), 'tool')
  assert.match((await rig.loop(['score', middle])).stdout, /^Score 7\/10, fit 40: tool,/)
  assert.match(
    (await rig.loop(['score', middle, '--shape-rule', 'score'])).stdout,
    /^Score 7\/10, fit 40: colleague,/,
  )
  assert.equal((await rig.loop(['config', 'set', 'shape_rule', 'score'])).code, 0)
  assert.match((await rig.loop(['score', middle])).stdout, /: colleague,/)
  const refused = await rig.loop(['score', middle, '--shape-rule', 'luck'])
  assert.equal(refused.code, 4)
  assert.match(refused.stderr, /--shape-rule is fit or score; not "luck"\./)
})
