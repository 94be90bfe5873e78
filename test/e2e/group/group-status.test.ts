/** Groups in `loop status` and `loop list`: one row with its members, why the group stopped, and what to type. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bestOfArgs, cost, firstOr, groupOf, rowsOf, waitFor } from '../../rig/group.ts'
import { makeRig, startArgs, until } from '../../rig/rig.ts'

test('a group is one row with its members below it, in the table and as JSON; @last is the group', async t => {
  const rig = makeRig(t)
  rig.write('a.txt', 'a\n')
  assert.equal((await rig.loop(startArgs('echo x > one', 'test -f one'))).code, 0)
  const agent = `echo x > done; ${firstOr('true', 'echo y >> done')}; ${cost(0.25)}`
  assert.equal((await rig.loop(bestOfArgs(agent, 'test -f done'))).code, 0)

  const rows = await rowsOf(rig)
  assert.deepEqual(
    rows.map(({ kind, status }) => [kind, status]),
    [
      ['group', 'completed'],
      ['loop', 'completed'],
    ],
  )
  const [group] = rows as Record<string, unknown>[]
  const members = (rows[0]?.members ?? []) as Record<string, unknown>[]
  assert.equal(group?.['program'], 'best-of')
  assert.equal(group?.['costUsd'], 0.5)
  assert.deepEqual(
    members.map(({ node, kind, status, costUsd, group: of }) => [node, kind, status, costUsd, of]),
    ['1-direct', '2-tests-first'].map(node => [node, 'loop', 'completed', 0.25, rows[0]?.id]),
  )

  const listed = await rig.loop(['list', '--limit', '1'])
  const lines = listed.stdout.trim().split('\n')
  assert.equal(lines.length, 4, listed.stdout)
  const id = rows[0]?.id ?? ''
  const ids = members.map(one => one['id'])
  assert.match(lines[1] ?? '', new RegExp(`^${id} +completed +4/4 .* \\$0\\.50 .* do the work$`))
  assert.match(lines[2] ?? '', new RegExp(`^├ ${ids[0]} +completed +1/10 .* copy .* 1-direct$`))
  assert.match(lines[3] ?? '', new RegExp(`^└ ${ids[1]} +completed +1/10 .* copy .* 2-tests-first$`))

  const detail = await rig.loop(['status', '@last'])
  assert.match(detail.stdout, new RegExp(`^group ${id}: completed \\(1-direct is in the work tree`))
  assert.match(detail.stdout, /program +best of 2\n/)
  assert.match(detail.stdout, /winner +1-direct \(the smaller change\)\n/)
  assert.match(detail.stdout, /cost +\$0\.50 of \$25\n/)
  assert.match(detail.stdout, new RegExp(`├ 1-direct +${ids[0]} +completed \\(the promise holds\\), 1/10`))
  assert.match(detail.stdout, /└ apply +apply +completed\n/)
  assert.match(detail.stdout, new RegExp(`next +loop compare ${id}\n`))
  assert.match(detail.stdout, new RegExp(`next .*loop rollback ${id} before-apply-1\n`))

  const whole = JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
  assert.equal(whole.winner, '1-direct')
  assert.equal(whole.winnerBy, 'lines')
  assert.equal(whole.exitCode, 0)
  assert.deepEqual(
    whole.nodes.map((node: { id: string; stage: string; how: string }) => [node.id, node.stage, node.how]),
    ['1-direct', '2-tests-first', 'choose', 'apply'].map(node => [node, 'ended', 'completed']),
  )
  const member = await rig.loop(['status', String(ids[1])])
  assert.match(member.stdout, new RegExp(`\n {2}group +${id} \\(loop status ${id}\\)\n`))
})

test('while it runs: what its members cost by now, those that rest, and status -w follows', async t => {
  const rig = makeRig(t)
  const agent = `${cost(0.5)}; ${firstOr(waitFor('go'), waitFor('never'))}; echo x > done`
  // The first iteration ends at once and reports its cost; the next one waits.
  const first = `if [ "$LOOP_ITERATION" = 1 ]; then ${cost(0.5)}; echo x > x; else ${agent}; fi`
  const running = rig.spawn(bestOfArgs(first, 'test -f done'))
  const { id, members } = await groupOf(rig, running)
  await until('both to be in their second iterations', async () => {
    const [row] = await rowsOf(rig)
    return row?.members?.every(one => (one as { iteration?: number }).iteration === 2)
  })
  const [row] = (await rowsOf(rig)) as Record<string, unknown>[]
  assert.equal(row?.['status'], 'running')
  assert.equal(row?.['costUsd'], 1, 'the group itself learns it when a member ends')

  const watching = rig.spawn(['status', id, '-w', '--json'])
  await until('the first view', () => watching.stdout().includes('\n'))
  assert.equal((await rig.loop(['pause', members[1] ?? ''])).code, 0)
  writeFileSync(join(rig.aside, 'go'), '')
  writeFileSync(join(rig.aside, 'never'), '')
  const ended = await running.ended
  // The second member was asked to pause, but its promise held before that.
  assert.equal(ended.code, 0, ended.stderr)
  const seen = (await watching.ended).stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).status)
  assert.equal(seen.at(-1), 'completed')
  assert.ok(seen.length > 1)
})

test('a group of which only resting loops are left says which, why, and what to type', async t => {
  const rig = makeRig(t)
  const asks = `echo '{"question": "red or blue?"}' > "$LOOP_USAGE_FILE"`
  const ended = await rig.loop(bestOfArgs(firstOr('echo x >> x', asks), 'test -f done', '-n', '2'))
  assert.equal(ended.code, 1, ended.stderr)
  const [row] = await rowsOf(rig)
  const [failed, resting] = row?.members ?? []
  assert.equal(row?.status, 'paused')
  assert.equal(failed?.status, 'failed')
  assert.equal(resting?.status, 'paused')
  const { stdout } = await rig.loop(['status', row?.id ?? ''])
  assert.match(
    stdout,
    new RegExp(
      `^group ${row?.id}: paused \\(2-tests-first \\(${resting?.id}\\) rests: it asks a question\\)\n`,
    ),
  )
  assert.match(stdout, /├ 1-direct .*failed \(2 iterations used and the promise does not hold\)/)
  assert.match(
    stdout,
    /└ 2-tests-first .*rests: paused \(the agent asks, and nobody is there: red or blue\?\)/,
  )
  assert.match(stdout, new RegExp(`next +loop status ${resting?.id}\n`))
  assert.match(stdout, new RegExp(`next .*loop resume ${row?.id}\n`))
})

test('why a group failed or asks is said in words, with the way on', async t => {
  const rig = makeRig(t)
  rig.write('a.txt', 'a\n')
  const detail = async () => (await rig.loop(['status', '@last'])).stdout

  assert.equal((await rig.loop(bestOfArgs('echo x >> x', 'test -f done', '-n', '1'))).code, 1)
  const nobody = await detail()
  assert.match(
    nobody,
    /failed \(none of its attempts passed: 1-direct \(its iterations are used up\), 2-tests-first \(its iterations are used up\)\)/,
  )
  assert.match(nobody, /next +With more iterations: loop resume \w{6} --max-iterations <n>\n/)

  const spent = bestOfArgs(`${cost(0.4)}; echo x >> x`, 'test -f done', '--budget', '0.5')
  assert.equal((await rig.loop(spent)).code, 1)
  const budget = await detail()
  assert.match(budget, /paused \(\$\d\.\d\d of \$0\.50 spent by its loops together\)/)
  assert.match(budget, /next +loop resume \w{6} --budget \d\n/)
  const { members } = JSON.parse((await rig.loop(['status', '@last', '--json'])).stdout)
  const held = await rig.loop(['status', members[0].id])
  assert.match(held.stdout, /paused \(the budget of its group is spent\)/)

  assert.equal((await rig.loop(bestOfArgs('echo x > done', 'test -f done', '--best-of-manual'))).code, 1)
  const asked = await detail()
  assert.match(
    asked,
    /paused \(it has a question, and nobody is there to answer: Which attempt is brought into the tree\?\)/,
  )
  assert.match(asked, /question .*\[1-direct \/ 2-tests-first \/ none\]\n/)
  assert.match(asked, /next +loop answer \w{6} 1-direct; then: loop resume \w{6}\n/)
})

test('a conflict with the work tree names the files, and says that nothing was changed', async t => {
  const rig = makeRig(t)
  rig.write('a.txt', 'a\n')
  const agent = `${waitFor('go')}; echo agent > a.txt`
  const running = rig.spawn(bestOfArgs(agent, 'grep -q agent a.txt'))
  await groupOf(rig, running)
  await until('both agents', async () =>
    (await rowsOf(rig))[0]?.members?.every(one => one.status === 'running'),
  )
  rig.write('a.txt', 'user\n')
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal((await running.ended).code, 1)
  assert.equal(readFileSync(join(rig.tree, 'a.txt'), 'utf8'), 'user\n')
  const { stdout } = await rig.loop(['status', '@last'])
  assert.match(
    stdout,
    /completed \(not applied, because the result and the work tree have changed the same places: a\.txt\. The tree is as it was\)/,
  )
  assert.match(stdout, /next +Merge with conflict markers: loop apply \w{6} --merge\n/)
})
