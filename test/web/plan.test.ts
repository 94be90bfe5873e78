/**
 * A plan from the page alone: started from the form, asked about the gaps in its text, shown task by task, passed at
 * its gates, sent back by a finding that a person turns into a task; its learnings are kept with consent.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { GroupRecorded } from '../../src/model/group/event.ts'
import { demoNodes, planScript, samplePlan, vagueSpec } from '../rig/plan.ts'
import { browseForTests, noBrowser, openPage, violations, web } from './browser.ts'

browseForTests()

/** The quoted line of the one finding; T-004 then changes this line. */
const line = 'return Math.max(0, amount - (amount * percent) / 100)'
const finding = 'f-30acde3416'

/** The demo plan with one warning, which only a person can turn into a task. */
function script(): string {
  const nodes = demoNodes()
  const clean = nodes['review/1/3-clarity'] ?? []
  const [[usage, asked] = []] = nodes['review/1/2-edge'] ?? []
  const { answer } = asked as { answer: { findings: { severity: string }[] } }
  for (const one of answer.findings) one.severity = 'WARNING'
  const verdict = { id: finding, stands: true, quote: line, how: 'It reads as two things.', command: null }
  return planScript(web.rig, {
    'review/1/1-correctness': clean,
    'review/1/2-edge': [[usage ?? {}, { answer }]],
    'review/1/verify-1': [[{ answer: { verdicts: [verdict] } }]],
    'gate/1/checklist': nodes['gate/2/checklist'] ?? [],
    'T-004': [
      [{ replace: { path: 'cart.js', from: line, to: 'return amount * Math.max(0, 1 - percent / 100)' } }],
    ],
  })
}

const part = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the group' }).getByRole('link', { name })

const asking = (page: Page) => page.getByRole('region', { name: 'A question for you' })

test('a plan from the form to its end: questions, tasks, gates, a finding, consent', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  samplePlan(rig)
  const page = await openPage('/app/start?kind=plan')
  await page.getByLabel('Directory').fill(rig.tree)
  await page.getByLabel('What is to be done').fill(vagueSpec)
  const score = page.getByRole('region', { name: 'How clear it is' })
  await score.getByText('Blocked (2/10)').waitFor()
  await page.getByLabel('agent', { exact: true }).fill('scripted')
  await page.getByLabel('agent_cmd').fill(script())
  const command = page.getByRole('region', { name: 'What would run' }).getByRole('code')
  const wanted = /^loop plan 'Fix the cart' -b --cwd \S+ --ask-later --agent scripted --agent-cmd /
  await command.filter({ hasText: wanted }).waitFor()
  await page.getByRole('button', { name: 'Start the plan' }).click()

  await asking(page).getByText('1 of 3').waitFor()
  await asking(page).getByRole('button', { name: 'Nothing in particular' }).click()
  await asking(page).getByText('2 of 3').waitFor()
  await asking(page).getByRole('button', { name: 'All tests pass', exact: true }).click()
  await asking(page).getByText('3 of 3').waitFor()
  await asking(page).getByLabel('Your own answer').fill('When it is released')
  await asking(page).getByRole('button', { name: 'Answer' }).click()

  await asking(page).getByText('Here are 3 steps. Proceed?').waitFor()
  await part(page, 'Tasks').click()
  const first = page.getByRole('region', { name: 'Wave 1' })
  await first.getByText('Count quantities and take discounts in percent').click()
  await first.getByText('node --test --test-name-pattern').waitFor()
  await asking(page).getByRole('button', { name: 'yes' }).click()

  await asking(page).getByText('All criteria met. Confirm done?').waitFor()
  await part(page, 'Reviews').click()
  const found = page.getByRole('article', { name: `Finding ${finding}` })
  await found.getByText('A discount of more than everything').waitFor()
  assert.deepEqual(await violations(page), [])
  await found.getByRole('button', { name: 'Make it a task' }).click()
  await found.getByText('made a task').waitFor()
  await asking(page).getByRole('button', { name: 'yes' }).click()

  await part(page, 'Tasks').click()
  const last = page.getByRole('region', { name: 'Wave 3' })
  await last.getByText('Fix discount below zero in cart.js').waitFor()
  await page.getByText('its tasks are done, reviewed, and every criterion is met').waitFor()
  await last.getByText('1 task, done').waitFor()

  await part(page, 'Learnings').click()
  const pending = page.getByRole('region', { name: 'Waiting for your consent' })
  await pending.getByText('Limits in this cart are inclusive').waitFor()
  await pending.getByRole('button', { name: 'Remember' }).click()
  await page.getByRole('region', { name: 'Kept' }).getByText('Limits in this cart are inclusive').waitFor()
  assert.match((await rig.loop(['recall', 'limits of the cart'])).stdout, /Limits in this cart are inclusive/)

  const [id = ''] = /\w{6}(?=\/learnings)/.exec(page.url()) ?? []
  // There are more loops than one stream may follow: ended ones are read once, not followed.
  await page.goto(`/app/loops/${id}`)
  await page
    .getByRole('listitem')
    .filter({ hasText: 'T-004' })
    .first()
    .getByText('the promise holds')
    .waitFor()
  await page.locator('[data-link=live]').waitFor()
  assert.equal(await page.getByText('No connection').count(), 0)
  const events = rig.events(id) as unknown as GroupRecorded[]
  const answers = events.flatMap(event =>
    event.kind === 'node.ended' && event.data.answer !== undefined && event.data.by === 'you'
      ? [[event.data.node, event.data.answer]]
      : [],
  )
  assert.deepEqual(answers, [
    ['intent/1/constraints', 'Nothing in particular'],
    ['intent/1/success', 'All tests pass'],
    ['intent/1/done', 'When it is released'],
    ['G1', 'yes'],
    ['G3', 'yes'],
  ])
  const resolved = events.flatMap(event => (event.kind === 'finding.resolved' ? event.data.how : []))
  assert.deepEqual(resolved, ['task'])
  await page.context().close()
})
