/**
 * The findings of reviewers on the page: the gate of a finding while a person is at a terminal, and findings of a plan
 * in the background that are approved, skipped and discussed. The text of findings, tasks, learnings and file names is
 * hostile, and stays text.
 */
import assert from 'node:assert/strict'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findingId } from '../../src/core/plan/findings.ts'
import type { GroupRecorded } from '../../src/model/group/event.ts'
import { attacks, ESC } from '../rig/attacks.ts'
import { demoNodes, planArgs, planScript, samplePlan, vagueSpec } from '../rig/plan.ts'
import { ptyOf } from '../rig/pty.ts'
import { root, until } from '../rig/rig.ts'
import { browseForTests, noBrowser, openPage, violations, web } from './browser.ts'
import { assertOnlyText, markup } from './only-text.ts'

browseForTests()

const asking = (page: Page) => page.getByRole('region', { name: 'A question for you' })
const part = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the group' }).getByRole('link', { name })
const findingOf = (page: Page, id: string) => page.getByRole('article', { name: `Finding ${id}` })

function planEvents(id: string): GroupRecorded[] {
  return web.rig.events(id) as unknown as GroupRecorded[]
}

/** The recorded decisions about findings: who decided what about which. */
function resolvedIn(id: string): string[][] {
  return planEvents(id).flatMap(event =>
    event.kind === 'finding.resolved'
      ? [[event.data.finding, event.data.how, event.data.by, event.data.text]]
      : [],
  )
}

function answerIn(id: string, node: string): string | undefined {
  const ended = planEvents(id).find(event => event.kind === 'node.ended' && event.data.node === node)
  return ended?.kind === 'node.ended' ? ended.data.answer : undefined
}

const line = 'return Math.max(0, amount - (amount * percent) / 100)'

type Found = { rule: string; file: string; line: number; quote: string; problem: string; fix: string }

const below: Found = {
  rule: 'discount below zero',
  file: 'cart.js',
  line: 10,
  quote: line,
  problem: 'A discount of more than everything gives less than nothing.',
  fix: 'Give at least 0.',
}

type Answer = { answer: object }

/** The demo plan, in which one review reports these warnings, and each of them stands. */
function withWarnings(found: readonly Found[]): Record<string, object[][]> {
  const nodes = demoNodes()
  const clean = nodes['review/1/3-clarity'] ?? []
  const review = clean[0]?.find(step => 'answer' in step) as Answer
  const findings = found.map(one => ({ severity: 'WARNING', ...one }))
  const verdicts = found.map(one => ({
    id: findingId(one),
    stands: true,
    quote: one.quote,
    how: 'It reads as two things.',
    command: null,
  }))
  return {
    'review/1/1-correctness': clean,
    'review/1/2-edge': [[{ answer: { ...review.answer, findings } }]],
    'review/1/verify-1': [[{ answer: { verdicts } }]],
    'gate/1/checklist': nodes['gate/2/checklist'] ?? [],
  }
}

test('a plan at a terminal is answered from the page: its gates, and a finding that is discussed', {
  skip: noBrowser,
}, async t => {
  const { rig } = web
  samplePlan(rig)
  const script = planScript(rig, withWarnings([below]))
  const spec = `${vagueSpec} so that all tests pass, in cart.js`
  const limits = ['--force', '-n', '20', '--budget', '25', '--task-list', 'new', '--state', 'keep']
  const args = ['plan', spec, '--agent', 'scripted', '--agent-cmd', script, ...limits]
  const runs = ptyOf(t, { rig, columns: 100, rows: 40 }, args)
  await until('its first question', () => runs.text().includes('Here are 3 steps. Proceed?'))
  const id = await until('the plan', () =>
    rig.loops().find(one => web.rig.events(one)[0]?.kind === ('group.created' as string)),
  )
  const page = await openPage(`/app/loops/${id}`)
  const says = async (words: string, node: string) => {
    await asking(page).getByText(words).waitFor()
    await asking(page).getByRole('button', { name: 'yes' }).click()
    await until(`the answer to ${node}`, () => answerIn(id, node) === 'yes')
  }
  await says('Here are 3 steps. Proceed?', 'G1')
  await says('T-002: Describe the cart in CART.md', 'G2/1')
  await says('T-003', 'G2/2')

  const finding = findingId(below)
  const card = asking(page).getByRole('article', { name: `Finding ${finding}` })
  await card.getByText(below.problem).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const asked = colorScheme === 'light' ? 'every rule' : 'colours'
    assert.deepEqual(await violations(page, asked), [], colorScheme)
  }
  await card.getByRole('button', { name: 'Discuss …' }).click()
  await card.getByLabel('What the reviewers are told').fill('the cap is there already')
  await card.getByRole('button', { name: 'Tell them' }).click()
  await until('what became of it', () => resolvedIn(id).length > 0)
  assert.deepEqual(resolvedIn(id), [[finding, 'discuss', 'you', 'the cap is there already']])
  assert.equal(answerIn(id, `finding/${finding}`), 'discuss')

  await says('All criteria met. Confirm done?', 'G3')
  await asking(page).getByRole('heading', { name: 'Remember this?' }).waitFor()
  await asking(page).getByRole('button', { name: 'no' }).click()
  await page.getByText('its tasks are done, reviewed, and every criterion is met').waitFor()
  assert.equal(await runs.ended, 0)
  await page.context().close()
})

/** An answer of a model may contain any character. One line. */
const nasty = `${markup} \u202Eturned\u202C zero\u200Bwidth ${ESC}[2J${ESC}]0;owned\u0007`
const short = `<b onclick="window.isOwned=1">x</b> \u202Eturned ${ESC}[2J`
const name = '<img src=x onerror=window.isOwned=1>\u202Etxt.md'

const hostile: Found[] = ['first', 'second', 'third'].map((word, i) => ({
  rule: `${word} ${short}`,
  file: `dir/${name}`,
  line: i + 1,
  quote: `const ${word} = ${nasty}`,
  problem: `${word} problem ${attacks}`,
  fix: `${word} fix ${nasty}`,
}))

/** A script in which every text that a model writes is hostile: shape, tasks, files and lessons. */
function hostileScript(): string {
  const nodes = demoNodes()
  const answerOf = (node: string) => {
    const step = nodes[node]?.[0]?.find(one => 'answer' in one) as Answer | undefined
    assert.ok(step, node)
    return step.answer
  }
  const shape = { ...answerOf('shape'), goal: `The goal ${nasty}`, risk: nasty }
  const { tasks } = answerOf('tasks') as { tasks: { id: string; files: string[] }[] }
  const hostileTasks = tasks.map(task => ({
    ...task,
    subject: `${task.id} ${short}`,
    source: nasty,
    action: nasty,
    criteria: nasty,
    files: [...task.files, `dir-${task.id}/${name}`],
  }))
  const { deviations } = answerOf('deviations') as { deviations: object[] }
  const lesson = {
    ...deviations[0],
    before: `before ${nasty}`,
    found: `found ${nasty}`,
    lesson: `lesson ${nasty}`,
  }
  const [[describe = {}] = []] = nodes['T-002'] ?? []
  const [[, cart = {}] = []] = nodes['T-002'] ?? []
  return planScript(web.rig, {
    ...withWarnings(hostile),
    shape: [[{ answer: shape }]],
    tasks: [[{ answer: { tasks: hostileTasks } }]],
    'T-002': [[describe, cart, { write: { path: `dir-T-002/${name}`, text: `${nasty}\n` } }]],
    deviations: [[{ answer: { noDeviation: false, deviations: [lesson] } }]],
  })
}

test('hostile findings are approved, skipped and discussed; tasks, learnings and names of the plan stay text', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  const shop = join(rig.aside, 'shop')
  cpSync(join(root, 'demo', 'project'), shop, { recursive: true })
  const answers = join(rig.aside, 'answers.yaml')
  writeFileSync(answers, 'constraints: none\nsuccess: All tests pass\ndone: When it is released\nG1: "yes"\n')
  const wish = ['--answers', answers, '--ask-later', '-b', '--json', '--cwd', shop]
  const started = await rig.loop(planArgs(vagueSpec, hostileScript(), ...wish))
  assert.equal(started.code, 0, started.stderr)
  const { id } = JSON.parse(started.stdout)
  await until('it to ask', () => rig.status(id) === 'waiting')
  const page = await openPage(`/app/loops/${id}`)
  await asking(page).getByText('All criteria met. Confirm done?').waitFor()
  await page.getByText('The goal <img src=x').waitFor()
  await assertOnlyText(page)

  await part(page, 'Tasks').click()
  await page.getByText('T-002 <b onclick').click()
  await page.getByText('dir-T-002/<img src=x').waitFor()
  await assertOnlyText(page)

  await part(page, 'Reviews').click()
  const [first = '', second = '', third = ''] = hostile.map(findingId)
  assert.equal(new Set([first, second, third]).size, 3)
  await findingOf(page, first).getByText('first problem').waitFor()
  await findingOf(page, first).getByText('verified').waitFor()
  assert.ok(((await findingOf(page, first).textContent()) ?? '').includes(markup), 'shown as it is')
  await assertOnlyText(page)
  await findingOf(page, first).getByRole('button', { name: 'Approve' }).click()
  await findingOf(page, first).getByText('approved', { exact: true }).waitFor()
  await findingOf(page, second).getByRole('button', { name: 'Skip' }).click()
  await findingOf(page, second).getByText('skipped', { exact: true }).waitFor()
  await findingOf(page, third).getByRole('button', { name: 'Discuss …' }).click()
  await findingOf(page, third).getByLabel('What the reviewers are told').fill(markup)
  await findingOf(page, third).getByRole('button', { name: 'Tell them' }).click()
  await findingOf(page, third).getByText('discussed', { exact: true }).waitFor()
  assert.deepEqual(resolvedIn(id), [
    [first, 'approve', 'you', ''],
    [second, 'skip', 'you', ''],
    [third, 'discuss', 'you', markup],
  ])
  await assertOnlyText(page)

  await asking(page).getByRole('button', { name: 'yes' }).click()
  await page.getByText('its tasks are done, reviewed, and every criterion is met').waitFor()
  await part(page, 'Learnings').click()
  const pending = page.getByRole('region', { name: 'Waiting for your consent' })
  await pending.getByText('lesson <img src=x').waitFor()
  await assertOnlyText(page)
  await pending.getByRole('button', { name: 'Remember' }).click()
  await page.getByRole('region', { name: 'Kept' }).getByText('lesson <img src=x').waitFor()
  await assertOnlyText(page)

  await part(page, 'Events').click()
  await page
    .getByRole('button', { name: /finding\.resolved/ })
    .first()
    .click()
  await page.getByLabel(/^Event \d+$/).waitFor()
  await assertOnlyText(page)
  const member = planEvents(id).findLast(
    event => event.kind === 'node.started' && event.data.node === 'T-002',
  )
  assert.ok(member?.kind === 'node.started')
  await page.goto(`/app/loops/${member.data.member}/changes`)
  await page
    .getByRole('region', { name: /^dir-T-002\/<img src=x/ })
    .getByRole('cell')
    .filter({ hasText: markup })
    .waitFor()
  await assertOnlyText(page)
  await page.context().close()
})
