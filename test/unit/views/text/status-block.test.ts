/** The status block: it says complete only if the loop completes next. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { State } from '../../../../src/core/loop/state.ts'
import { statusBlock } from '../../../../src/views/text/announce.ts'
import { after, at, but, pass, verified } from '../../../rig/given.ts'

const passed = (given: Parameters<typeof at>[1] = {}) => after(at('settled', given), verified(1, pass))

test('EXIT_SIGNAL and NEXT for each way that goes on from a promise', () => {
  const forbidden = { name: 'no secrets', command: 'x', ...pass }
  const rows: [State, boolean, string][] = [
    [passed(), true, 'complete'],
    [after(at('settled'), verified(1, {})), false, 'make this pass: npm test'],
    [
      but(passed({ protect: ['*.test.js'] }), { tree: { touched: ['cart.test.js'], reference: 'tree' } }),
      false,
      'a human looks at it: protected files were changed',
    ],
    [
      but(passed(), { judged: { mustNot: [{ ...passed().judged.results[0], ...forbidden } as never] } }),
      false,
      'a human looks at it: what must not happen has happened',
    ],
    [but(passed(), { human: { finalDue: true } }), false, 'loop runs the promise once more'],
  ]
  for (const [state, exit, next] of rows) {
    const lines = statusBlock(state)
    assert.equal(lines[1], `EXIT_SIGNAL: ${exit}`, next)
    assert.equal(lines[4], `NEXT: ${next}`)
  }
})
