/**
 * `--counsel`: a plain loop that fails its verification gets advice from a panel before it continues. It becomes a
 * group of one loop, and the id of the group answers like that of a loop; the same in the loops of a workflow and in
 * isolated runs.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { goodAnswers } from '../../rig/answers.ts'
import { onlyGroup } from '../../rig/group.ts'
import { planEvents } from '../../rig/plan.ts'
import { makeRig, type Rig, readOr } from '../../rig/rig.ts'

/** The agent fails once, and does the work after the panel has advised; `node` is the name of its node. */
function script(rig: Rig, node: string): string {
  const file = join(rig.aside, 'turns.yaml')
  const turns = {
    [node]: [[{ run: 'echo x > half' }], [{ run: 'echo x > done' }]],
    [`${node}/counsel-1`]: [[{ run: 'cat half' }, { answer: goodAnswers.counsel }]],
  }
  writeFileSync(file, JSON.stringify({ nodes: turns }))
  return file
}

function args(rig: Rig, node: string, ...more: string[]): string[] {
  const agent = ['--agent', 'scripted', '--agent-cmd', script(rig, node)]
  return ['start', 'do the work', '-p', 'test -f done', ...agent, '--no-input', ...more]
}

/** The prompt of the agent's second run. */
function secondPrompt(rig: Rig, member: string): string {
  return readOr(join(rig.dir(member), 'runs', '2', 'prompt'))
}

test('a loop in the tree gets advice after its first failure, and its id answers for it', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(args(rig, 'loop', '--counsel'))
  assert.equal(ended.code, 0, ended.stderr + ended.stdout)
  assert.match(ended.stderr, /\[LOOP\] Starting \| Group: \w{6} \| Loop with counsel/)
  assert.match(ended.stdout, /completed: the promise holds/)
  assert.equal(readOr(join(rig.tree, 'done')), 'x\n', 'in the tree itself')
  const id = onlyGroup(rig)
  const begun = planEvents(rig).find(event => event.kind === 'node.started' && event.data.node === 'loop')
  assert.ok(begun?.kind === 'node.started' && begun.data.member)
  const prompt = secondPrompt(rig, begun.data.member)
  assert.match(prompt, /Counsel \(loop\/counsel-1\) has looked at this failure/)
  assert.ok(prompt.includes(goodAnswers.counsel.recommendation))
  const history = await rig.loop(['history', id, '--json'])
  assert.equal(JSON.parse(history.stdout).iterations.length, 2, history.stdout)
  for (const command of [['logs', id], ['diff', id], ['status', id], ['report']])
    assert.equal((await rig.loop(command)).code, 0, command.join(' '))
  assert.match((await rig.loop(['status', id])).stdout, /loop with counsel/)
})

test('the group fails with the reason of its loop, and resumes; a silent panel holds nothing up', async t => {
  const rig = makeRig(t)
  const failed = await rig.loop(args(rig, 'loop', '--counsel', '-n', '1'))
  assert.equal(failed.code, 1)
  assert.match(failed.stdout, /its attempt did not pass: loop \(its iterations are used up\)/)
  const resumed = await rig.loop(['resume', onlyGroup(rig), '-n', '3', '--no-input'])
  assert.equal(resumed.code, 0, resumed.stdout)
  const inSession = await rig.loop([...args(rig, 'loop', '--counsel'), '--session'])
  assert.equal(inSession.code, 4)
})

test('advice in an isolated run, and in a loop of a workflow', async t => {
  const rig = makeRig(t)
  const alone = await rig.loop(args(rig, 'isolated', '--isolated', '--counsel'))
  assert.equal(alone.code, 0, alone.stderr)
  assert.equal(readOr(join(rig.tree, 'done')), 'x\n')
  const file = script(rig, 'build')
  const loops = [{ id: 'build', prompt: 'do it', promise: 'test -f built', counsel: true }]
  const flow = { name: 'x', defaults: { agent: 'scripted', agent_cmd: file }, loops }
  writeFileSync(file, readOr(file).replace('echo x > done', 'echo x > built'))
  rig.write('flow.yaml', JSON.stringify(flow))
  const ran = await rig.loop(['workflow', 'run', 'flow.yaml', '--trust', '--no-input'])
  assert.equal(ran.code, 0, ran.stderr)
  assert.match(ran.stderr, /build\/counsel-1: answered/)
})

test('a test that an agent changed before the advice is checked after it', async t => {
  const rig = makeRig(t)
  const manifest = (command: string) => JSON.stringify({ name: 'x', scripts: { test: command } })
  rig.write('package.json', manifest('test -f done'))
  const cheat = { write: { path: 'package.json', text: manifest('test -f other') } }
  const turns = {
    loop: [[cheat], [{ run: 'echo x > other' }]],
    'loop/counsel-1': [[{ answer: goodAnswers.counsel }]],
  }
  const file = join(rig.aside, 'turns.yaml')
  writeFileSync(file, JSON.stringify({ nodes: turns }))
  const agent = ['--agent', 'scripted', '--agent-cmd', file, '--counsel', '--no-input']
  const ended = await rig.loop(['start', 'do the work', '-p', 'npm test', ...agent])
  assert.equal(ended.code, 0, ended.stdout)
  assert.match(ended.stderr, /loop\/counsel-1: answered/)
  assert.match(ended.stderr, /changed, and judges the work: package\.json/)
  assert.match(ended.stderr, /the work alone, in a clean copy: FAIL/)
})
