/**
 * `.loop/state.json` and PROGRESS.md of the work tree follow a group, and are removed at the end if that was asked for.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bestOfArgs, cost, groupOf, rowsOf, waitFor } from '../../rig/group.ts'
import { makeRig, type Rig, readOr, startArgs, until } from '../../rig/rig.ts'

function stateIn(rig: Rig) {
  return JSON.parse(readFileSync(join(rig.tree, '.loop/state.json'), 'utf8'))
}

test('the files of the tree follow the group, from its beginning to its end', async t => {
  const rig = makeRig(t)
  rig.write('a.txt', 'a\n')
  const running = rig.spawn(bestOfArgs(`${cost(0.25)}; ${waitFor('go')}; echo x > done`, 'made=test -f done'))
  const { id, members } = await groupOf(rig, running)
  await until('both to be begun', () => stateIn(rig).remainingSteps.length === 2)
  const early = stateIn(rig)
  assert.deepEqual(
    [early.loop, early.driver, early.kind, early.program, early.status, early.exit_signal],
    [id, 'loop', 'group', 'best-of', 'in_progress', false],
  )
  assert.deepEqual(early.criteriaStatus, { made: false })
  assert.deepEqual(early.budget, { usd: 25, spentUsd: null })
  assert.deepEqual(
    early.nodes.map((node: { id: string; member: string }) => [node.id, node.member]),
    [
      ['1-direct', members[0]],
      ['2-tests-first', members[1]],
    ],
  )
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal((await running.ended).code, 0)
  const late = stateIn(rig)
  assert.deepEqual([late.status, late.exit_signal, late.inTree], ['completed', true, '1-direct'])
  assert.deepEqual(late.criteriaStatus, { made: true })
  assert.deepEqual(late.completedSteps, ['1-direct', '2-tests-first', 'choose', 'apply'])
  assert.deepEqual(late.budget, { usd: 25, spentUsd: 0.5 })
  const page = readOr(join(rig.tree, '.loop/PROGRESS.md'))
  assert.match(
    page,
    new RegExp(`\\*\\*Status:\\*\\* completed \\(.*\\) \\| Group ${id}, best of 2 \\| Cost: \\$0\\.50/\\$25`),
  )
  assert.match(page, new RegExp(`- \\[x\\] 1-direct \\(${members[0]}\\): completed\n`))
})

test('they are removed at the end where that was asked for', async t => {
  const rig = makeRig(t)
  assert.equal((await rig.loop(bestOfArgs('echo x > done', 'test -f done', '--state', 'delete'))).code, 0)
  assert.ok(!existsSync(join(rig.tree, '.loop')))
  assert.ok(existsSync(join(rig.tree, 'done')))
})

test('while a loop works in the tree itself, the files are its own', async t => {
  const rig = makeRig(t)
  const group = rig.spawn(bestOfArgs(`${waitFor('go')}; echo x > done`, 'test -f done'))
  await groupOf(rig, group)
  const loop = rig.spawn(startArgs(`${waitFor('loop')}; echo x > one`, 'test -f one'))
  await until('the loop to run', async () => (await rowsOf(rig)).some(row => row.kind === 'loop'))
  const id = (await rowsOf(rig)).find(row => row.kind === 'loop')?.id
  await until('its files', () => stateIn(rig).loop === id)
  writeFileSync(join(rig.aside, 'go'), '')
  await until('the attempts to end', async () => {
    const [row] = (await rowsOf(rig)).filter(one => one.kind === 'group')
    return row?.members?.every(one => one.status === 'completed')
  })
  assert.equal(stateIn(rig).loop, id)
  writeFileSync(join(rig.aside, 'loop'), '')
  assert.equal((await loop.ended).code, 0)
  assert.equal((await group.ended).code, 0)
  assert.equal(stateIn(rig).kind, 'group')
})
