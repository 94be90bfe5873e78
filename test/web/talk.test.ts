/** The words and actions of an agent as a conversation beside its output; lines have links, and can be searched. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plays, putPrograms } from '../agents/stand-in.ts'
import { browseForTests, noBrowser, openPage, web } from './browser.ts'

browseForTests()

test('a run of claude is a conversation of words, tool calls, edits and failures', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  putPrograms(rig, { claude: `${plays('claude-tools.out')}; touch done` })
  const args = ['start', 'do the work', '-p', 'test -f done', '--agent', 'claude', '-b', '--json']
  const started = await rig.loop(args)
  assert.equal(started.code, 0, started.stderr)
  const { id } = JSON.parse(started.stdout)
  await rig.reaches(id, 'completed')
  const page = await openPage(`/app/loops/${id}/log`)
  const talk = page.getByRole('log', { name: 'What the agent said and did' })
  await talk.getByText('edited').first().waitFor()
  await page.getByRole('log', { name: /^Output of run 1/ }).waitFor()
  await page.getByRole('button', { name: 'Conversation' }).click()
  assert.equal(await page.getByRole('log', { name: /^Output of run 1/ }).count(), 0)
  await page.context().close()
})

test('a line has a link of its own, and every line can be found', { skip: noBrowser }, async () => {
  const { rig } = web
  const loop = await rig.background('seq -f "line %g of many" 20000; echo x > y', 'test -f y')
  await rig.reaches(loop, 'completed')
  const page = await openPage(`/app/loops/${loop}/log`)
  const log = page.getByRole('log')
  await log.getByText('line 20000 of many', { exact: true }).waitFor()
  await page.getByLabel('Search the output').fill('LINE 1234')
  await page.getByText('1 of 11', { exact: true }).waitFor()
  await log.locator('[data-hit=true]').getByText('line 1234 of many').waitFor()
  await page.getByRole('button', { name: 'To the end' }).waitFor()
  await log.getByRole('link', { name: 'Line 1234' }).click()
  assert.match(page.url(), /log\?run=1#L1234$/)

  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.locator('[data-marked=true]').getByText('line 1234 of many', { exact: true }).waitFor()
  const rows = await other.locator('.log-line').count()
  assert.ok(rows < 120, `only what is in sight is in the document: ${rows}`)
  await page.context().close()
})
