/**
 * The parts of a loop's page in use: changes between any two checkpoints, logs and prompts of each run, events,
 * evidence.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../rig/rig.ts'
import { browseForTests, noBrowser, openPage, web } from './browser.ts'

browseForTests(makeLoop)

let loop = ''

/** Two iterations: each changes the code; the first adds a test, the second a lock file and a very long file. */
async function makeLoop(): Promise<void> {
  const { rig } = web
  rig.write('code.js', 'let total = 0\nlet count = 0\n')
  const first = `sed -i 's/total = 0/total = 1/' code.js; mkdir -p src/test; echo 'check(1)' > src/test/total.test.js`
  const second = `sed -i 's/count = 0/count = 2/' code.js; echo '{}' > package-lock.json; seq -f 'row %g of the file' 60000 > long.txt`
  const agent = `echo "out of $LOOP_ITERATION"; echo "err of $LOOP_ITERATION" >&2; if [ "$LOOP_ITERATION" = 1 ]; then ${first}; else ${second}; fi`
  loop = await rig.background(agent, 'echo "looked at it"; test -f long.txt', '-n', '3')
  await rig.reaches(loop, 'completed')
}

const choice = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
const files = (page: Page) => page.locator('.file-diff h2').allTextContents()

async function filesAre(page: Page, wanted: string[]): Promise<void> {
  await until(`the files ${wanted}`, async () => String(await files(page)) === String(wanted))
}

test('changes of an iteration, between any two checkpoints, of tests alone, and side by side', {
  skip: noBrowser,
}, async () => {
  const page = await openPage(`/app/loops/${loop}/changes`)
  await filesAre(page, ['code.js', 'long.txt', 'package-lock.json', 'src/test/total.test.js'])
  const lock = page.getByRole('region', { name: 'package-lock.json' })
  await lock.getByText('generated').waitFor()
  assert.equal(await lock.getByRole('table').count(), 0, 'nobody has written it: it is closed')
  await page.getByRole('navigation', { name: 'Changed files' }).getByText('src/test').waitFor()

  await page.getByRole('button', { name: 'Tests only' }).click()
  await filesAre(page, ['src/test/total.test.js'])
  await page.getByRole('button', { name: 'All files' }).click()
  await choice(page, 'Iteration').selectOption('1')
  await filesAre(page, ['code.js', 'src/test/total.test.js'])
  const code = page.getByRole('region', { name: 'code.js' })
  await code.getByText('let total = 1').waitFor()
  assert.equal(await code.locator('tr[data-kind=add]').count(), 1)
  await page.getByRole('button', { name: 'Side by side' }).click()
  const row = code.getByRole('row').filter({ hasText: 'let total = 0' })
  assert.match((await row.textContent()) ?? '', /let total = 0.*let total = 1/, 'what was, beside what is')

  await choice(page, 'From').selectOption('iter-001-after')
  await choice(page, 'to').selectOption('iter-002-after')
  await filesAre(page, ['code.js', 'long.txt', 'package-lock.json'])
  await code.getByText('let count = 2').waitFor()
  assert.match(page.url(), /from=iter-001-after&to=iter-002-after/)
  const long = page.getByRole('region', { name: 'long.txt' })
  await long.getByText('Only the beginning is shown.').waitFor()
  await long.getByRole('button', { name: 'Load more of it' }).click()
  await long.getByText('Only the beginning is shown.').waitFor({ state: 'detached' })
  assert.equal(await long.getByText('row 2500 of the file').count(), 0, 'not all of it is drawn at once')
  await long.getByRole('button', { name: 'Show more of 60000 lines' }).click()
  await long.getByText('row 2500 of the file').waitFor()
  await page.context().close()
})

test('the output, the errors and the prompt of each run, the events, and the evidence of a criterion', {
  skip: noBrowser,
}, async () => {
  const page = await openPage(`/app/loops/${loop}/log`)
  await page.getByRole('log').getByText('out of 2').waitFor()
  await choice(page, 'Run').selectOption({ label: '1: iteration 1, custom' })
  await page.getByRole('log').getByText('out of 1').waitFor()
  await page.getByRole('button', { name: 'err', exact: true }).click()
  await page.getByRole('log').getByText('err of 1').waitFor()

  await page.keyboard.press('4')
  await page.getByLabel('The prompt', { exact: true }).waitFor()
  await choice(page, 'Run').selectOption({ index: 0 })
  await page.waitForURL(/prompts\?run=1$/)
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Events' }).click()
  const events = page.getByRole('list', { name: 'Events, newest first' })
  await events.getByText('loop.completed').waitFor()
  assert.equal(await events.getByRole('listitem').count(), web.rig.events(loop).length)
  await events
    .getByRole('button', { name: /run\.ended/ })
    .first()
    .click()
  await page
    .getByLabel(/^Event \d+$/)
    .getByText('"how": "exited"')
    .waitFor()

  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('button', { name: /^Output of/ }).click()
  await page.getByLabel('What the criterion printed').getByText('looked at it').waitFor()
  const rows = page.getByRole('list', { name: 'Iterations' }).getByRole('listitem')
  assert.equal(await rows.count(), 3, 'the start, and two iterations')
  await rows.nth(1).getByRole('link', { name: /^\+\d/ }).click()
  await page.waitForURL(/changes\?from=iter-001&to=iter-001-after/)
  await filesAre(page, ['code.js', 'src/test/total.test.js'])
  await page.context().close()
})
