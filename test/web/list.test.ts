/**
 * The list of loops: those that need a person first; searched, filtered, sorted; groups with their members; kept up to
 * date.
 */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../rig/rig.ts'
import { browseForTests, noBrowser, openPage, web, welcome } from './browser.ts'

browseForTests(makeLoops)

const ids = { done: '', failed: '', asking: '', group: '' }

async function makeLoops(): Promise<void> {
  const { rig } = web
  const started = async (prompt: string, agent: string, ...more: string[]) => {
    const args = ['start', prompt, '--agent', 'custom', '--agent-cmd', agent, ...more, '-b', '--json']
    const ended = await rig.loop(args)
    assert.equal(ended.code, 0, ended.stderr)
    return JSON.parse(ended.stdout).id
  }
  ids.done = await started('Write the invoices', 'touch pdf', '-p', 'test -f pdf')
  await rig.reaches(ids.done, 'completed')
  ids.failed = await started('Mend the search', 'echo x >> notes', '-p', 'test -f never', '-n', '2')
  await rig.reaches(ids.failed, 'failed')
  ids.group = await started('Draw the chart', 'touch chart', '-p', 'test -f chart', '--best-of', '2')
  await rig.reaches(ids.group, 'completed')
  const confirm = ['--no-baseline', '--confirm', 'It is fast']
  ids.asking = await started('Speed up the start', 'echo y >> notes', '-p', 'true', ...confirm)
  await rig.reaches(ids.asking, 'waiting')
}

/** The ids of the loops in the order of the list, members of groups included. */
async function shown(page: Page): Promise<string[]> {
  const rows = page.getByRole('list', { name: 'Loops' }).locator('.loop-more code')
  return rows.allTextContents()
}

async function shows(page: Page, wanted: string[]): Promise<void> {
  await until(`the list to have ${wanted.length}`, async () => (await shown(page)).length === wanted.length)
  assert.deepEqual(await shown(page), wanted)
}

test('what needs somebody stands first; the list is searched, filtered and sorted', {
  skip: noBrowser,
}, async () => {
  const page = await openPage('/')
  await shows(page, [ids.asking, ids.failed, ids.group, ids.done])
  const heads = await page.getByRole('heading', { level: 2 }).allTextContents()
  assert.deepEqual(heads, ['Needs you 2', 'Done 2'])

  await page.keyboard.press('/')
  await page.keyboard.type('SEARCH mend')
  await shows(page, [ids.failed])
  assert.match(page.url(), /q=SEARCH\+mend/)
  await page.getByLabel('Search the list').fill('')
  await shows(page, [ids.asking, ids.failed, ids.group, ids.done])

  await page.getByRole('button', { name: 'Done 2' }).click()
  await shows(page, [ids.group, ids.done])
  await page.getByRole('button', { name: 'All 4' }).click()
  await page.getByLabel('Sort').selectOption('Most iterations first')
  await page.waitForURL(/sort=iteration/)
  const loops = (await shown(page)).filter(id => id !== ids.group)
  assert.deepEqual(loops, [ids.failed, ids.asking, ids.done], 'the first has had two')
  await page.reload()
  assert.equal(
    await page.getByLabel('Sort').inputValue(),
    'iteration',
    'what was asked for is in the address',
  )
  await page.context().close()
})

test('a group shows its members, which are reached with the keyboard', { skip: noBrowser }, async () => {
  const page = await openPage('/?show=done')
  await shows(page, [ids.group, ids.done])
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  const members = page.getByRole('button', { name: `Members of ${ids.group}` })
  assert.equal(await members.getAttribute('aria-expanded'), 'true')
  await page.getByRole('link', { name: '1-direct' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: ids.group }).waitFor()
  assert.match(page.url(), new RegExp(`/app/loops/(?!${ids.group})\\w{6}$`))
  await page.context().close()
})

test('a loop that comes, and one that changes, is there at once', { skip: noBrowser }, async () => {
  const { rig } = web
  const page = await openPage('/?sort=created')
  await shows(page, [ids.asking, ids.group, ids.failed, ids.done])
  const other = join(rig.aside, 'other')
  mkdirSync(other)
  const fresh = await rig.background('touch here', 'test -f here', '--cwd', other)
  await page.getByRole('listitem').filter({ hasText: fresh }).getByText('completed').waitFor()
  const row = page.getByRole('listitem').filter({ hasText: ids.asking })
  await row.getByText('waiting').waitFor()
  assert.equal((await rig.loop(['answer', ids.asking, 'yes'])).code, 0)
  await row.getByText('completed').waitFor()
  await page.context().close()
})

test('a search finds loops that are not loaded on the server', { skip: noBrowser }, async () => {
  const context = await welcome()
  const page = await context.newPage()
  // As if there were more loops than the page loads: the oldest is left out.
  await page.route(/\/v1\/loops\?(?!.*search=)/, async route => {
    const answer = await route.fetch()
    const got = await answer.json()
    const rows = got.rows.filter((row: { id: string }) => row.id !== ids.done)
    await route.fulfill({ response: answer, json: { ...got, rows } })
  })
  await page.goto('/')
  await page.getByRole('listitem').filter({ hasText: ids.failed }).waitFor()
  assert.ok(!(await shown(page)).includes(ids.done))
  await page.getByLabel('Search the list').fill('invoices')
  await page.getByRole('listitem').filter({ hasText: ids.done }).waitFor()
  await context.close()
})

test('the permission to notify is asked for when somebody wants to be told, and not before', {
  skip: noBrowser,
}, async () => {
  const context = await welcome()
  await context.addInitScript(`
    window.asked = 0
    const ask = Notification.requestPermission.bind(Notification)
    Notification.requestPermission = () => { window.asked += 1; return ask() }`)
  await context.grantPermissions(['notifications'], { origin: web.origin })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('listitem').filter({ hasText: ids.failed }).waitFor()
  assert.equal(await page.evaluate('window.asked'), 0)
  await page.getByRole('button', { name: 'Notify me' }).click()
  await page.getByRole('button', { name: 'Notifying' }).waitFor()
  assert.equal(await page.evaluate('window.asked'), 1)
  await context.close()
})
