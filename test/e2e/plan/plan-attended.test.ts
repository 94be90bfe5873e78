/**
 * A plan with a person there: its questions at the terminal, by `loop answer`, over the API, and through an agent that
 * passes on the words of its user (MCP); questions that wait in the background, and their notices.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { failureWords } from '../../../src/failures/words.ts'
import { call } from '../../../src/server/api/client.ts'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { onlyGroup } from '../../rig/group.ts'
import { connect } from '../../rig/mcp-client.ts'
import { endedNodes, planArgs, planEvents, samplePlan, shortPlanScript, vagueSpec } from '../../rig/plan.ts'
import { planTerminal, startAnswers } from '../../rig/plan-terminal.ts'
import { makeRig, type Rig, readOr, until } from '../../rig/rig.ts'

/** Scored as a colleague (5/10, fit 25): every gate is asked. */
const colleagueSpec =
  'Fix total(), discounted() and shipping() in cart.js so that all tests pass, done when it works'

function attended(rig: Rig, spec: string, ...more: string[]): string[] {
  const script = shortPlanScript(rig)
  return ['plan', spec, '--agent', 'scripted', '--agent-cmd', script, '--review-light', 'off', ...more]
}

/** The answers of people, by the id of the question. */
function answersIn(rig: Rig): Record<string, string> {
  return Object.fromEntries(
    planEvents(rig).flatMap(event =>
      event.kind === 'node.ended' && event.data.by !== undefined
        ? [[event.data.node, `${event.data.answer}`]]
        : [],
    ),
  )
}

test('at a terminal: maxims of the repository are shown and asked about, once', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  mkdirSync(join(rig.tree, '.loop', 'maxims'), { recursive: true })
  rig.write('.loop/maxims/team.md', '- never delete a test\n')
  const terminal = planTerminal(t, rig, attended(rig, vagueSpec))
  await terminal.answers([
    ...startAnswers.slice(0, 3),
    ['Use them? You are asked again only when they change. [y/N]', 'y'],
    ...startAnswers.slice(3),
  ])
  await terminal.answer('What must not change, and which limits apply?', '')
  assert.match(terminal.said(), /team\.md:\s+- never delete a test/)
  const [begin] = planEvents(rig)
  const maxims = begin?.kind === 'group.created' ? begin.data.spec.plan?.maxims : []
  assert.deepEqual(
    maxims?.map(({ text }) => text),
    ['- never delete a test\n'],
  )
  const again = await rig.loop([...attended(rig, vagueSpec), '--force', '--dry-run'])
  assert.doesNotMatch(again.stderr, /not trusted/)
})

test('at a terminal: questions one after the other, two rounds, the checklist, every gate, consent', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const terminal = planTerminal(t, rig, attended(rig, vagueSpec))
  await terminal.answers([
    ...startAnswers,
    ['d) Nothing in particular [a-d, or your own words]', 'd'],
    ['d) A measurement (answer with it) [a-d, or your own words]', ''],
    ['d) A measurement (answer with it) [a-d, or your own words]', 'I will see'],
    ['c) When it is released [a-c, or your own words]', 'soon'],
    ['What must not change, and which limits apply?', 'nothing'],
    ['How can one see that it works?', 'by looking'],
    ['When is it done?', 'soon'],
    ['Continue with these assumptions? [Y/n]', ''],
    ['Here are 2 steps. Proceed? [Y/n]', ''],
    ['T-001: Mend the cart; T-002: Describe the cart in CART.md complete. Continue? [Y/n]', 'Y'],
    ['All criteria met. Confirm done? [Y/n]', 'maybe not'],
    ['All criteria met. Confirm done? [Y/n]', 'proceed without confirmation'],
    ['look at the exact value. [yes / no]', 'maybe'],
    ['look at the exact value. [yes / no]', 'yes'],
  ])
  assert.equal(await terminal.screen.ended, 0, terminal.said())
  const said = terminal.said()
  assert.match(said, /G1: Decomposed into 2 steps:\n1\. Mend the cart\n2\. Describe the cart in CART\.md\n/)
  assert.equal(said.split('c) When it is released').length, 3, 'each question once a round, two rounds')
  assert.match(
    said,
    /☑ Score the spec: 2\/10\n□ Determine shape: unclear\n☑ Classify reversibility: Type 2B\n/,
  )
  assert.match(said, /\[ASSUMPTION\] Success: all tests of the project pass\n/)
  const told = answersIn(rig)
  assert.equal(
    told['intent/1/constraints'],
    'Nothing in particular',
    'a letter is the option it stands before',
  )
  assert.deepEqual([told['checklist'], told['G1'], told['G2/1']], ['yes', 'yes', 'yes'])
  assert.match(said, /<loop-complete>/)
  const recalled = await rig.loop(['recall', 'limits of the cart'])
  assert.match(recalled.stdout, /Limits in this cart are inclusive/)
})

test('questions still open after two rounds become assumptions, in the prompts and shown before the work', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  rig.write('answers.yaml', 'outcome: x\nscope: x\nconstraints: x\nsuccess: x\ndone: x\n')
  const ended = await rig.loop(planArgs(vagueSpec, shortPlanScript(rig), '--answers', 'answers.yaml'))
  assert.equal(ended.code, 1, ended.stderr)
  assert.deepEqual(
    endedNodes(rig).filter(one => one.startsWith('intent/2/')),
    ['constraints', 'success', 'done'].map(name => `intent/2/${name} completed`),
  )
  const shape = planEvents(rig).find(event => event.kind === 'node.started' && event.data.node === 'shape')
  assert.ok(shape?.kind === 'node.started' && shape.data.member)
  const prompt = readOr(join(rig.dir(shape.data.member), 'runs', '1', 'prompt'))
  assert.match(prompt, /\[ASSUMPTION\] Success: all tests of the project pass/)
})

test('by loop answer: each answer says what is asked next; other words at G1 make the tasks anew', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const stopped = await rig.loop(planArgs(colleagueSpec, shortPlanScript(rig)))
  assert.equal(stopped.code, 1, stopped.stderr)
  const id = onlyGroup(rig)
  const asked = await rig.loop(['answer', id])
  assert.match(asked.stdout, /Here are 2 steps\. Proceed\? \[Y\/n\]\nAnswer with: loop answer \w{6} <answer>/)
  const other = await rig.loop(['answer', id, 'describe the cart first'])
  assert.equal(other.code, 0, other.stderr)
  assert.match(other.stdout, new RegExp(`answered\\. Go on with: loop resume ${id}`))
  assert.equal((await rig.loop(['resume', id, '--no-input'])).code, 1, 'the new tasks are shown too')
  const again = planEvents(rig).findLast(
    event => event.kind === 'node.started' && event.data.node === 'tasks',
  )
  assert.ok(again?.kind === 'node.started' && again.data.member)
  const prompt = readOr(join(rig.dir(again.data.member), 'runs', '1', 'prompt'))
  assert.match(prompt, /A person has looked at the tasks and says: describe the cart first/)
  for (const answer of ['YES', 'proceed without confirmation']) {
    assert.equal((await rig.loop(['answer', id, answer])).code, 0)
    const ended = await rig.loop(['resume', id, '--no-input'])
    assert.equal(ended.code, answer === 'YES' ? 1 : 0, ended.stdout)
  }
  const told = answersIn(rig)
  assert.deepEqual(
    [told['G1'], told['G1/2'], told['G2/1'], told['G3']],
    ['describe the cart first', 'yes', 'proceed without confirmation', 'yes'],
  )
  const nothing = await rig.loop(['answer', id])
  assert.match(nothing.stdout, /asks nothing/)
})

test('in the background it waits and tells; answers come over the API, by MCP and from a shell', async t => {
  const rig = makeDaemonRig(t)
  samplePlan(rig)
  const program = join(rig.aside, 'tell.sh')
  writeFileSync(program, '#!/bin/sh\necho "$1|$2" >> "$ASIDE/told"\n', { mode: 0o755 })
  await rig.loop(['config', 'set', 'notification_cmd', program])
  await rig.startDaemon()
  const vague = await rig.loop([...planArgs(vagueSpec, shortPlanScript(rig)), '-b'])
  assert.equal(vague.code, 4, 'nobody is there, and nobody said that it may wait')
  const started = await call(rig.env['LOOPD_SOCKET'] ?? '', 'runPlan', {
    body: { cwd: rig.tree, text: vagueSpec, options: { agent: 'scripted', agent_cmd: shortPlanScript(rig) } },
  })
  assert.ok(started.ok, started.ok ? '' : failureWords(started.failure))
  const { id } = started.value
  const asks = (words: string) =>
    until(
      `it to ask: ${words}`,
      async () => rig.status(id) === 'waiting' && (await rig.loop(['answer', id])).stdout.includes(words),
    )
  const overApi = async (text: string) => {
    const body = { kind: 'answer', by: 'page', text } as const
    const answered = await call(rig.env['LOOPD_SOCKET'] ?? '', 'command', { params: { id }, body })
    assert.ok(answered.ok, answered.ok ? '' : failureWords(answered.failure))
  }
  await asks('What must not change')
  await overApi('a')
  await asks('How can one see')
  await overApi('b')
  await asks('When is it done')
  const session = await connect(t, rig)
  const byAgent = await session.call('answer', { loop: id, text: 'soon' })
  assert.equal(byAgent.refused, false, byAgent.text)
  assert.match(String(byAgent.value['answered']), /^When is it done\?/)
  await asks('Here are 2 steps. Proceed?')
  const next = await rig.loop(['answer', id, 'y'])
  assert.match(next.stdout, /answered\. It goes on\./)
  await asks('Confirm done?')
  const inRun = { LOOP_RUN: `${id}/1`, LOOP_ID: id }
  const inside = await connect(t, rig, { env: inRun })
  const refused = await inside.call('answer', { loop: id, text: 'yes' })
  assert.ok(refused.refused, 'an agent in its run answers nothing')
  await overApi('yes')
  await rig.reaches(id, 'completed')
  const told = readOr(join(rig.aside, 'told'))
  for (const words of ['What must not change', 'Here are 2 steps', 'Confirm done'])
    assert.match(told, new RegExp(`group ${id} waits for you\\|.*${words}`), told)
  const learnt = await rig.loop(['learn'])
  assert.match(learnt.stdout, /Limits in this cart are inclusive/, 'without consent it waits')
})
