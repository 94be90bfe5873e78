/** Garbage of groups: copies and checkpoints stay together while one of the loops is open, then they are deleted. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bestOfArgs, cost, groupOf, rowsOf, waitFor } from '../../rig/group.ts'
import { makeRig, type Rig, startArgs, until } from '../../rig/rig.ts'

function copiesOf(rig: Rig, group: string): string[] {
  if (!existsSync(rig.paths.copies)) return []
  return readdirSync(rig.paths.copies).filter(name => name.startsWith(`${group}-`))
}

/** The journals that have checkpoints in the store of the tree. */
function savedFor(rig: Rig): string[] {
  const [tree = ''] = readdirSync(rig.paths.trees)
  const refs = join(rig.paths.trees, tree, 'git/refs/loop')
  return existsSync(refs) ? readdirSync(refs).filter(id => readdirSync(join(refs, id)).length > 0) : []
}

test('the copies and checkpoints of a group are kept for the retention, then go with it', async t => {
  const rig = makeRig(t)
  rig.write('a.txt', 'a\n')
  assert.equal((await rig.loop(bestOfArgs('echo x > done', 'test -f done'))).code, 0)
  const [row] = await rowsOf(rig)
  const id = row?.id ?? ''
  const family = [id, ...(row?.members ?? []).map(one => one.id)].toSorted()
  await rig.loop(['gc'])
  assert.equal(copiesOf(rig, id).length, 2)
  assert.deepEqual(savedFor(rig).toSorted(), family)
  assert.match((await rig.loop(['doctor'])).stdout, /ok +working copies +none without a loop/)

  const dry = JSON.parse(
    (await rig.loop(['gc', '--checkpoint-retention', '1ms', '--dry-run', '--json'])).stdout,
  )
  assert.equal(dry.copies.length, 2)
  assert.equal(copiesOf(rig, id).length, 2)
  const freed = await rig.loop(['gc', '--checkpoint-retention', '1ms', '--output-retention', '1ms'])
  assert.match(freed.stdout, /Freed about .*, 2 working copies, the output of 3 loops\.\n$/)
  assert.deepEqual(copiesOf(rig, id), [])
  assert.deepEqual(savedFor(rig), [])
  const [after] = await rowsOf(rig)
  assert.equal(after?.members?.length, 2, 'what happened is still known')
})

test('nothing of a group goes while one of its loops is open', async t => {
  const rig = makeRig(t)
  const agent = `if [ "$LOOP_ITERATION" = 1 ]; then echo x > x; else ${waitFor('go')}; echo x > done; fi; ${cost(0.1)}`
  const running = rig.spawn(bestOfArgs(agent, 'test -f done', '--first-wins'))
  const { id, members } = await groupOf(rig, running)
  await until('both to be at work', async () =>
    (await rowsOf(rig))[0]?.members?.every(one => one.status === 'running'),
  )
  const early = await rig.loop(['gc', '--checkpoint-retention', '1ms', '--output-retention', '1ms'])
  assert.match(early.stdout, /^Nothing to delete/)
  assert.equal(copiesOf(rig, id).length, 2)
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal((await running.ended).code, 0)
  assert.equal(members.length, 2)
  await rig.loop(['gc', '--checkpoint-retention', '1ms'])
  assert.deepEqual(copiesOf(rig, id), [])
})

test('the automatic gc keeps the first checkpoint and the result that is in the tree', async t => {
  const rig = makeRig(t)
  assert.equal((await rig.loop(bestOfArgs('echo x > done', 'test -f done'))).code, 0)
  const id = (await rowsOf(rig))[0]?.id ?? ''
  await rig.loop(['gc', '--checkpoint-retention', '1ms', '--keep-ends'])
  assert.deepEqual(savedFor(rig), [id])
  const [tree = ''] = readdirSync(rig.paths.trees)
  const names = readdirSync(join(rig.paths.trees, tree, 'git/refs/loop', id)).toSorted()
  assert.deepEqual(names, ['1-direct-1', 'initial'])
  assert.equal((await rig.loop(['rollback', id, 'initial'])).code, 0)
  assert.ok(!existsSync(join(rig.tree, 'done')))
})

test('the doctor names copies that belong to no loop; those of another data directory are left alone', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs('echo x > one', 'test -f one'))
  const stray = join(rig.paths.copies, 'zzzzzz-1-direct-1')
  const other = join(rig.paths.copies, 'yyyyyy-1-direct-1')
  for (const path of [stray, other]) mkdirSync(join(path, 'tree'), { recursive: true })
  writeFileSync(join(other, 'made'), JSON.stringify({ copy: {}, store: '/elsewhere/trees/a/git' }))
  const { stdout } = await rig.loop(['doctor'])
  assert.match(stdout, new RegExp(`warn +working copies +belong to no known loop: ${stray}\n`))
  assert.match(stdout, /→ Look at them, then delete them with: loop gc --yes/)
  await rig.loop(['gc', '--checkpoint-retention', '0s', '--yes'])
  assert.deepEqual([existsSync(stray), existsSync(other)], [false, true])
})
