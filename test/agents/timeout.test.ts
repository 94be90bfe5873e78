/**
 * Real agent programs that are still at work at the timeout, three times in a row. Each run has mended one part, so the
 * loop goes on and completes. They take a minute each, so they need LOOP_LONG; e2e/loop/resume has a quick one.
 */
import assert from 'node:assert/strict'
import type { Turn } from './model-server.ts'
import { type Edit, placeFor, realAgents, agentTest as test } from './real.ts'

const parts = [1, 2, 3, 4]

/** Mends one part, then hangs until it is stopped. */
const mendsAndHangs = (edit: Edit, n: number): Turn[] => [
  { say: `I will mend part ${n}.`, tools: [edit(`wrong${n}`, `right${n}`)] },
  { say: 'Let me think about the rest.', breaks: 'hangs' },
]

const check = `import { parts } from './sum.mjs'
const bad = parts.filter(part => part.startsWith('wrong'))
for (const part of parts) console.log((bad.includes(part) ? 'not ok ' : 'ok ') + part)
console.log('1..' + parts.length)
process.exit(bad.length === 0 ? 0 : 1)
`

for (const agent of realAgents) {
  const skip = !process.env['LOOP_LONG'] && 'lasts a minute: LOOP_LONG=1'
  test(`${agent}: three timeouts, each after some progress, and the loop completes`, { skip }, async t => {
    const { rig, server, args } = await placeFor(t, agent, edit => [
      ...[1, 2, 3].flatMap(n => mendsAndHangs(edit, n)),
      { say: 'The last one.', tools: [edit('wrong4', 'right4')] },
      { say: 'That should be all.' },
    ])
    rig.write('sum.mjs', `export const parts = [\n${parts.map(n => `  'wrong${n}',\n`).join('')}]\n`)
    rig.write('check.mjs', check)
    const ended = await rig.loop([...args, '--timeout', '15s'])
    const [id = ''] = rig.loops()
    assert.equal(ended.code, 0, `${ended.stdout}${ended.stderr}`)
    assert.deepEqual(
      rig.events(id).flatMap(event => (event.kind === 'run.ended' ? event.data.how : [])),
      ['timeout', 'timeout', 'timeout', 'exited'],
    )
    assert.deepEqual(
      rig.events(id).flatMap(event => (event.kind === 'wait.started' ? event.data.for : [])),
      [],
      'no run was taken for an error',
    )
    const prompts = [3, 5, 7].map(nth => server.asked[nth - 1] ?? '')
    for (const [i, prompt] of prompts.entries()) {
      assert.match(prompt, /The last run was stopped after 15s, its time limit/)
      assert.ok(prompt.includes(`(+1 -1 lines): ${4 - i} → ${3 - i} failing`), prompt)
    }
    assert.equal(server.turnsLeft(), 0)
  })
}
