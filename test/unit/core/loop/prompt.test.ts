/** The prompt of an iteration: its parts, their order, and that it is bounded whatever was printed. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { buildPrompt, type Excerpt } from '../../../../src/core/loop/prompt.ts'
import type { CriterionResult, Event } from '../../../../src/model/loop/event.ts'
import { excerpt } from '../../../../src/store/files/artifact.ts'
import {
  after,
  at,
  cleared,
  created,
  ended,
  held,
  lost,
  pass,
  started,
  taken,
  tempDir,
  unjudged,
  verified,
  wholeIteration,
} from '../../../rig/given.ts'

const printed = (text: string): Record<string, Excerpt> => ({
  'npm test': { head: text, tail: '', omittedBytes: 0 },
})

test('the first prompt, word for word', () => {
  const state = at('saved', { prompt: '  add a cart\n', maxIterations: 7, timeoutMs: 300_000 })
  assert.equal(
    buildPrompt(state, 1, printed('1 of 3 failed\n')),
    `add a cart

## Done when
This exits 0, run in this directory after you finish (nothing you say counts):

    npm test

Do not change tests, test settings or tools to make it pass unless asked to: this is detected and the result will be rejected.
If it cannot be done honestly, end your last message with a line "BLOCKED: reason": this pauses the loop. Do not ask questions; you get no answer.
Before you write a part yourself, look for it in this project and in the libraries it uses.

## Result now: FAIL (exit 1)

\`\`\`
1 of 3 failed

\`\`\`

## Limits
Iteration 1 of 7, stopped after 5m; changes are kept.
`,
  )
})

test('without a baseline nothing is said about a verdict', () => {
  const state = after(created({ baseline: false }), taken('initial'), taken('iter-001'))
  assert.doesNotMatch(buildPrompt(state, 1, {}), /now: /)
})

test('task, condition, verdict, last time and limits stand in this order', () => {
  const changes = { added: 8, removed: 3, files: 1 }
  const state = after(
    at('ended'),
    ended(1, { costUsd: 1.5, how: 'timeout' }),
    { kind: 'run.cleared', data: { run: 1, killed: 0, suspects: [] } },
    taken('iter-001-after', { changes }),
    verified(1, unjudged),
  )
  const prompt = buildPrompt(state, 2, printed('out'))
  const marks = [
    'add a cart',
    '## Done when',
    '## Result now: ERROR (exit 127: command not found)',
    '## Last time',
    'The last run was stopped after 1m 30s, its time limit; its changes are kept. Continue where it stopped.',
    'The last run changed 1 file (+8 -3 lines): still failing.',
    '## Limits',
    'Iteration 2 of 10, stopped',
    '$1.50 of $25 spent.',
  ]
  const places = marks.map(mark => prompt.indexOf(mark))
  assert.ok(
    places.every(place => place >= 0),
    prompt,
  )
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
    prompt,
  )
})

test('what the promise changed is told apart from what the agent changed, also before the first run', () => {
  const changes = { added: 3, removed: 0, files: 2 }
  const words = 'Running the command, not the agent, changed 2 files (+3 -0 lines): coverage/a, and 1 more.\n'
  const settled = taken('iter-001-after', { changes: { ...changes, files: 1 }, paths: ['src/cart.ts'] })
  const judged = after(at('cleared'), settled, verified(1, {}))
  const second = after(judged, taken('iter-002', { changes, paths: ['coverage/a'] }))
  assert.ok(buildPrompt(second, 2, {}).includes(`Changed: src/cart.ts.\n${words}`))
  const look = taken('iter-000-verified', { changes, paths: ['coverage/a'] })
  const first = after(at('baseline', { protect: ['test/**'] }), taken('iter-000'), look, verified(0, {}))
  assert.ok(buildPrompt(first, 1, {}).includes(`## Last time\n${words}`))
  assert.doesNotMatch(buildPrompt(judged, 2, {}), /not the agent/)
})

test('what the last run did is told in words that fit', () => {
  const withFiles = (files: number) => {
    const settled = taken('iter-001-after', { changes: { added: 1, removed: 0, files } })
    return buildPrompt(after(at('cleared'), settled, verified(1, {})), 2, {})
  }
  assert.match(
    withFiles(0),
    /## Last time\nThe last run changed no file\. That is 1 in a row; the loop stops at 3\.\n/,
  )
  assert.match(withFiles(2), /## Last time\nThe last run changed 2 files \(\+1 -0 lines\)/)
  const withEnd = (...end: [] | [Event]) =>
    buildPrompt(after(at('boundary'), ...wholeIteration(1, {}, ...end)), 2, {})
  assert.doesNotMatch(withEnd(), /Last time/)
  assert.doesNotMatch(withEnd(ended(1, { how: 'stopped' })), /Last time/)
  assert.match(withEnd(lost(1)), /did not end by itself \(lost\)/)
  assert.match(withEnd(ended(1, { how: 'killed' })), /did not end by itself \(killed\)/)
})

test('a run that printed nothing for too long is told so, with the limit it ran into', () => {
  const idle = ended(1, { how: 'idle' })
  const state = after(at('boundary', { idleTimeoutMs: 120_000 }), ...wholeIteration(1, {}, idle))
  assert.match(
    buildPrompt(state, 2, {}),
    /\nThe last run printed nothing for 2m and was stopped; its changes are kept\. Continue where it stopped\.\n/,
  )
})

test('the time that ran out is that of the run, also when the limit has been raised since', () => {
  const late = ended(1, { how: 'timeout' })
  const resumed: Event = { kind: 'loop.resumed', data: { timeoutMs: 900_000 } }
  const state = after(at('boundary'), ...wholeIteration(1, {}, late), held(), resumed)
  const prompt = buildPrompt(state, 2, {})
  assert.match(prompt, /stopped after 1m 30s, its time limit/)
  assert.match(prompt, /, stopped after 15m; /)
})

test('the agent is told what its last iteration has made of the promise', () => {
  const one = { name: 'npm test', command: 'npm test' }
  const lint = { name: 'lint', command: 'eslint .' }
  const changes = { added: 1, removed: 0, files: 1 }
  const told = (...verdicts: [Partial<CriterionResult>, Partial<CriterionResult>][]) => {
    const before = verified(0, ...verdicts.map(([then]) => then))
    const from = after(created({ criteria: [one, lint] }), before, taken('initial'), taken('iter-001'))
    const left = taken('iter-001-after', { changes })
    const judged = verified(1, ...verdicts.map(([, now]) => now))
    return buildPrompt(after(from, started(1), ended(1), cleared(1), left, judged), 2, {})
  }
  const line = (facts: string) => `The last run changed 1 file (+1 -0 lines): ${facts}.\n`
  const failing = (n: number | null) => ({ failing: n })
  assert.ok(told([failing(3), failing(2)]).includes(line('3 → 2 failing')))
  assert.ok(told([failing(2), failing(2)]).includes(line('still 2 failing')))
  assert.ok(told([failing(null), failing(2)]).includes(line('still failing')))
  const both = told([failing(3), failing(2)], [lint, { ...lint, ...pass }])
  assert.ok(both.includes(line('3 → 2 failing; lint passes now')), both)
  const worse = told([failing(null), failing(null)], [{ ...lint, ...pass }, lint])
  assert.ok(worse.includes(line('lint no longer passes')), worse)
  assert.ok(
    told([failing(3), failing(2)], [lint, { ...lint, failing: null }]).includes(line('3 → 2 failing')),
  )
})

test('without saved changes the progress is told all the same', () => {
  const state = after(
    at('boundary', { checkpoint: 'none' }),
    ...wholeIteration(1, { failing: 4 }),
    ...wholeIteration(2, { failing: 1 }),
  )
  assert.match(buildPrompt(state, 3, {}), /## Last time\nAfter the last run: 4 → 1 failing\.\n/)
})

test('each type of work comes with its own rule', () => {
  const rule = (prompt: string) =>
    /you get no answer\.\n(.*)\n/.exec(buildPrompt(at('saved', { prompt }), 1, {}))?.[1] ?? ''
  assert.match(rule('add a cart'), /libraries/)
  assert.match(rule('fix the failing tests'), /root cause before/)
  assert.match(rule('refactor the cart'), /delete .* before you redesign/)
})

test('after progress nothing is said of getting nowhere; afterwards each attempt is counted', () => {
  const steps = (...counts: number[]) =>
    after(at('boundary'), ...counts.flatMap((failing, i) => wholeIteration(i + 1, { failing }, said(i + 1))))
  const said = (n: number) => ended(n, { said: `tried ${n}` })
  assert.doesNotMatch(buildPrompt(steps(3, 2), 3, {}), /No progress|Tried without/)
  assert.doesNotMatch(buildPrompt(steps(3, 2, 2), 4, {}), /No progress/)
  assert.match(buildPrompt(steps(3, 2, 2, 2), 5, {}), /\nNo progress in 2 iterations; the loop stops at 5\./)
})

test('one file is one file, also among what was tried', () => {
  const changes = { added: 1, removed: 0, files: 1 }
  const settled = taken('iter-001-after', { changes })
  const prompt = buildPrompt(after(at('cleared'), settled, verified(1, {})), 2, {})
  assert.match(prompt, /- iteration 1 \(\+1 -0 lines, 1 file\)/)
  assert.doesNotMatch(prompt, /\b1 files/)
})

test('a limit that was lifted is not mentioned', () => {
  const spent = ended(1, { costUsd: 2 })
  const free = after(
    at('boundary', { maxIterations: null, budgetUsd: null }),
    ...wholeIteration(1, {}, spent),
  )
  const prompt = buildPrompt(free, 2, {})
  assert.match(prompt, /\nIteration 2, stopped after .*; changes are kept\.\n/)
  assert.doesNotMatch(prompt, /spent/)
  const cut = after(at('boundary'), ...wholeIteration(1, {}, ended(1, { costUsd: 2, costIncomplete: true })))
  assert.match(buildPrompt(cut, 2, {}), / at least \$2 of \$25 spent\.\n/)
  const unknownCost = after(at('boundary'), ...wholeIteration(1))
  assert.doesNotMatch(buildPrompt(unknownCost, 2, {}), /spent/)
})

test('texts of the user, of loop itself and of an agent stand apart', () => {
  const told = (text: string, by?: 'agent' | 'loop'): Event => ({
    kind: 'context.injected',
    data: { text, ...(by && { by }) },
  })
  const state = after(at('saved'), told('m', 'agent'), told('l', 'loop'), told('u'), told('v'))
  const between = /^add a cart\n\n([^]*)\n\n## Done when/.exec(buildPrompt(state, 1, {}))?.[1]
  assert.equal(
    between,
    '## Also\n\nu\n\nv\n\n## Why this is done again\n\nl\n\n## Noted by an agent, not by the user\n\nm',
  )
})

test('what fails stands before what was printed: by name, or by the lines that are new', () => {
  const judged = (result: Partial<CriterionResult>) =>
    buildPrompt(after(at('cleared'), taken('iter-001-after'), verified(1, result)), 2, printed('out\n'))
  const fails = [
    { name: 'ships for free', file: 'test/cart.js', line: 31, said: 'expected 0, got 5' },
    { name: 'test/tax.js', file: 'test/tax.js', line: null, said: '' },
  ]
  const block = '\n\n```\nout\n\n```\n'
  const named = '- ships for free  test/cart.js:31  expected 0, got 5\n- test/tax.js\n- and 5 more'
  assert.ok(
    judged({ failing: 7, fails, differs: ['x'] }).includes(
      `## Result now: FAIL (exit 1, 7 failing)\n${named}${block}`,
    ),
  )
  assert.ok(
    judged({ differs: ['taxes: wrong'] }).includes(
      `## Result now: FAIL (exit 1)\nNew in its output:\n- taxes: wrong${block}`,
    ),
  )
})

test('a promise that printed nothing is said to have', () => {
  const nothing = { 'npm test': { head: '', tail: '', omittedBytes: 0 } }
  assert.match(buildPrompt(at('saved'), 1, nothing), /## Result now: FAIL \(exit 1\)\nIt printed nothing\.\n/)
})

test('of much output the head and the tail are shown, and how much lies between', t => {
  const file = join(tempDir(t), 'out')
  const text = `first line\n${'x'.repeat(50_000)}\nlast line\n`
  writeFileSync(file, text)
  const prompt = buildPrompt(at('saved'), 1, { 'npm test': excerpt(file, 4_000) })
  const [head, tail] = [text.slice(0, 4_000), text.slice(-4_000)]
  const block = ['```', head, `… ${text.length - 8_000} bytes left out …`, tail, '```'].join('\n')
  assert.ok(prompt.includes(`\n${block}\n`))
})

test('the prompt is bounded whatever the promise printed', t => {
  const file = join(tempDir(t), 'out')
  const most = 400
  const empty = buildPrompt(at('saved'), 1, printed('')).length
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000, size: 'max' }), bytes => {
      writeFileSync(file, bytes)
      const prompt = buildPrompt(at('saved'), 1, { 'npm test': excerpt(file, most) })
      assert.ok(prompt.length <= empty + 2 * most + 100, String(prompt.length))
      assert.ok(prompt.endsWith('changes are kept.\n'))
    }),
    { numRuns: 60 },
  )
})

test('output with a fence of its own does not end the block early', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('`', '``', '```', '\n', 'x', '~~~')), parts => {
      const text = parts.join('')
      const lines = buildPrompt(at('saved'), 1, printed(`a${text}`)).split('\n')
      const from = lines.findIndex(line => /^`{3,}$/.test(line))
      const fence = lines[from] ?? ''
      const to = lines.findIndex((line, i) => i > from && line === fence)
      assert.deepEqual(lines.slice(from + 1, to), `a${text}`.split('\n'))
      assert.equal(lines[to + 2], '## Limits')
    }),
  )
})
