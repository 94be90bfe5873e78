/** Waves: order by blockers, at most six tasks, no two tasks on one file, circles named. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { mayTouchSame, wavesOf } from '../../../../src/core/plan/waves.ts'
import type { TaskDraft } from '../../../../src/model/plan.ts'

function draft(id: number, { files = [`src/${id}.ts`], blockedBy = [] as number[] } = {}): TaskDraft {
  const name = (number: number) => `T-${String(number).padStart(3, '0')}`
  return {
    id: name(id),
    subject: `Do part ${id}`,
    activeForm: `Doing part ${id}`,
    source: 'the spec',
    action: 'write it',
    criteria: 'it is there',
    verify: 'true',
    files,
    blockedBy: blockedBy.map(name),
    points: 1,
  }
}

function waveTable(drafts: TaskDraft[]): string[][] {
  const found = wavesOf(drafts)
  assert.ok(found.ok)
  const most = Math.max(...found.tasks.map(({ wave }) => wave))
  return Array.from({ length: most }, (_, at) =>
    found.tasks.filter(({ wave }) => wave === at + 1).map(({ id }) => id),
  )
}

test('a task comes after its blockers, and beside whatever does not wait', () => {
  const drafts = [draft(1), draft(2), draft(3, { blockedBy: [1] }), draft(4, { blockedBy: [3] })]
  assert.deepEqual(waveTable(drafts), [['T-001', 'T-002'], ['T-003'], ['T-004']])
})

test('two tasks that touch one file are not in one wave', () => {
  const drafts = [draft(1, { files: ['src/a.ts'] }), draft(2, { files: ['./src/a.ts'] }), draft(3)]
  assert.deepEqual(waveTable(drafts), [['T-001', 'T-003'], ['T-002']])
})

test('a wave of seven is split', () => {
  const seven = Array.from({ length: 7 }, (_, at) => draft(at + 1))
  assert.deepEqual(
    waveTable(seven).map(wave => wave.length),
    [6, 1],
  )
})

test('a circle is refused with its path, and so is a blocker that is no task', () => {
  const circle = [draft(1, { blockedBy: [3] }), draft(2, { blockedBy: [1] }), draft(3, { blockedBy: [2] })]
  assert.deepEqual(wavesOf(circle), {
    ok: false,
    trouble: { kind: 'cycle', path: ['T-001', 'T-003', 'T-002'] },
  })
  assert.deepEqual(wavesOf([draft(1, { blockedBy: [1] })]), {
    ok: false,
    trouble: { kind: 'cycle', path: ['T-001'] },
  })
  assert.deepEqual(wavesOf([draft(1, { blockedBy: [9] })]), {
    ok: false,
    trouble: { kind: 'unknown-blocker', id: 'T-001', blocker: 'T-009' },
  })
  assert.deepEqual(wavesOf([draft(1), draft(1)]), { ok: false, trouble: { kind: 'twice', id: 'T-001' } })
})

test('tasks that come later begin after the last wave, and may be blocked by what was there', () => {
  const first = wavesOf([draft(1), draft(2, { blockedBy: [1] })])
  assert.ok(first.ok)
  const more = wavesOf([draft(3, { blockedBy: [1] }), draft(4)], first.tasks)
  assert.ok(more.ok)
  assert.deepEqual(
    more.tasks.map(({ id, wave }) => [id, wave]),
    [
      ['T-001', 1],
      ['T-002', 2],
      ['T-003', 3],
      ['T-004', 3],
    ],
  )
})

const meetings: [string, string, boolean][] = [
  ['src/a.ts', 'src/a.ts', true],
  ['src/a.ts', 'src/b.ts', false],
  ['src', 'src/a.ts', true],
  ['src/', 'src/deep/a.ts', true],
  ['src/auth', 'src/authority.ts', false],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/deep/a.ts', false],
  ['src/**', 'src/deep/a.ts', true],
  ['src/**', 'src', true],
  ['src/a/**', 'src/b/**', false],
  ['src/**/*.ts', 'src/b/**', true],
  ['*.md', 'docs/**', true],
  ['**/*.ts', 'docs/guide.md', false],
  ['.', 'anything', true],
]
for (const [one, other, meet] of meetings) {
  test(`${one} and ${other} ${meet ? 'may' : 'do not'} mean the same file`, () => {
    assert.equal(mayTouchSame([one], [other]), meet)
    assert.equal(mayTouchSame([other], [one]), meet)
  })
}

test('of any plan without a circle: every task once, after its blockers, no overlap, at most six', () => {
  const plans = fc
    .array(
      fc.record({
        files: fc.array(fc.constantFrom('a', 'b', 'c', 'd/*', 'd/e'), { minLength: 1 }),
        back: fc.array(fc.nat(20)),
      }),
      {
        minLength: 1,
        maxLength: 20,
      },
    )
    .map(rows =>
      rows.map(({ files, back }, at) =>
        draft(at + 1, { files, blockedBy: [...new Set(back.filter(one => one < at).map(one => one + 1))] }),
      ),
    )
  fc.assert(
    fc.property(plans, drafts => {
      const found = wavesOf(drafts)
      assert.ok(found.ok)
      assert.deepEqual(found.tasks.map(({ id }) => id).sort(), drafts.map(({ id }) => id).sort())
      const wave = new Map(found.tasks.map(task => [task.id, task.wave]))
      for (const task of found.tasks) {
        for (const blocker of task.blockedBy) assert.ok((wave.get(blocker) ?? 0) < task.wave)
        const beside = found.tasks.filter(other => other.wave === task.wave && other !== task)
        assert.ok(beside.length < 6)
        assert.ok(!beside.some(other => mayTouchSame(task.files, other.files)))
      }
    }),
  )
})
