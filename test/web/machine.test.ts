/** Actions of a person on the page of the machine: look at agents, change the configuration, clean up, sign out. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../rig/rig.ts'
import { browseForTests, noBrowser, openPage, signedIn, web } from './browser.ts'

browseForTests()

test('a key of the configuration is set, refused where it cannot be, and reset', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  const value = async () => (await rig.loop(['config', 'get', 'max_concurrent_loops'])).stdout.trim()
  const before = await value()
  const page = await openPage('/app/machine/config')
  const field = page.getByRole('textbox', { name: /^max_concurrent_loops/ })
  await page.getByLabel('Search the configuration').fill('concurrent')
  await field.fill('many')
  await page.getByRole('button', { name: 'Save max_concurrent_loops' }).click()
  await page.getByText(/max_concurrent_loops.*many/).waitFor()
  assert.equal(await value(), before)
  await field.fill('7')
  await page.getByRole('button', { name: 'Save max_concurrent_loops' }).click()
  await page.getByText('max_concurrent_loops is 7.').waitFor()
  assert.equal(await value(), '7')
  await page.goto('/app/machine')
  await page.getByText('of 7 at once').waitFor()
  await page.goto('/app/machine/config')
  await page.getByRole('button', { name: 'Reset max_concurrent_loops' }).click()
  await page.getByText('max_concurrent_loops has its default value again.').waitFor()
  assert.equal(await value(), before)
  await until('the field to have the value', async () => (await field.inputValue()) === before)
  await page.context().close()
})

test('the disk is cleaned up after it was shown what would go', { skip: noBrowser }, async () => {
  const { rig } = web
  const tree = join(rig.aside, 'cleaned')
  mkdirSync(tree)
  const loop = await rig.background('touch done', 'test -f done', '--cwd', tree)
  await rig.reaches(loop, 'completed')
  const isThere = async () => (await rig.loop(['rollback', loop, 'initial', '--dry-run'])).code === 0
  await rig.loop(['config', 'set', 'checkpoint_retention', '1ms'])
  const page = await openPage('/app/machine/disk')
  await page.getByRole('button', { name: 'What would go?' }).click()
  await page.getByText(/^[1-9]\d* checkpoints?, /).waitFor()
  assert.ok(await isThere(), 'looking takes nothing away')
  await page.getByRole('button', { name: 'Clean up now' }).click()
  await page.getByText(/^Cleaned up: [1-9]/).waitFor()
  assert.equal(await isThere(), false)
  await page.context().close()
})

test('agents are shown with whether they are there; a browser that signs out is out', {
  skip: noBrowser,
}, async () => {
  const page = await (await signedIn()).newPage()
  await page.goto('/app/machine/agents')
  const agents = page.getByRole('region', { name: 'Agents' })
  await agents.getByRole('row').filter({ hasText: 'scripted' }).waitFor()
  await page.getByRole('link', { name: 'Health' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor()
  await page.goto('/app/machine')
  await page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor()
  await page.context().close()
})

test('the report of another time is asked for, and a loop opened from it', { skip: noBrowser }, async () => {
  const { rig } = web
  const tree = join(rig.aside, 'reported')
  mkdirSync(tree)
  const loop = await rig.background('touch done', 'test -f done', '--cwd', tree)
  await rig.reaches(loop, 'completed')
  const page = await openPage('/app/report')
  const row = page.getByRole('listitem').filter({ hasText: loop })
  await row.waitFor()
  await page.getByRole('button', { name: 'a week' }).click()
  await page.waitForURL(/since=7d/)
  await row.click()
  await page.waitForURL(new RegExp(`/app/loops/${loop}$`))
  await page.context().close()
})
