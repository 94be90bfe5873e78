/** The ways to the page: several tabs, a loopd that dies meanwhile, the keyboard alone, a phone, no sign-in. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { waitFor } from '../rig/group.ts'
import { browseForTests, newBrowser, noBrowser, openPage, signedIn, steeredAgent, web } from './browser.ts'

browseForTests()

test('loopd is killed and started again: two tabs go on, and nothing is lost or reloaded', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  const loop = await rig.background(steeredAgent('echo done > work'), 'test -f work')
  const context = await signedIn()
  const [list, run] = [await context.newPage(), await context.newPage()]
  await list.goto('/')
  await run.goto(`/app/loops/${loop}/log`)
  const row = list.getByRole('listitem').filter({ hasText: loop })
  await row.getByText('running').first().waitFor()
  await run.getByText('turn 1 begins').waitFor()
  for (const tab of [list, run]) await tab.evaluate('window.isTheSame = true')

  const gone = new Promise(resolve => web.daemon.child.once('close', resolve))
  web.daemon.child.kill('SIGKILL')
  await gone
  for (const tab of [list, run]) {
    await tab.getByText('No connection').waitFor()
    await tab.getByText('loopd does not answer; trying again.').waitFor()
  }
  // The agent works without loopd; its output from that time is shown afterwards.
  writeFileSync(join(rig.aside, 'turn-1'), '')
  web.daemon = await rig.startDaemon()
  await run.getByText('turn 1 ends').waitFor()
  await run.getByText('the promise holds').waitFor()
  await row.getByText('completed').first().waitFor()
  for (const tab of [list, run]) {
    await tab.getByText('Live').waitFor()
    assert.equal(await tab.evaluate('window.isTheSame'), true, 'it was not reloaded')
    await tab.getByText('trying again').waitFor({ state: 'detached' })
  }
  await context.close()
})

test('everything can be done with the keyboard alone', { skip: noBrowser }, async () => {
  const { rig } = web
  const loop = await rig.background(`echo at work; ${waitFor('never')}`, 'false')
  await rig.reaches(loop, 'running')
  const page = await openPage('/')
  const press = (key: string) => page.keyboard.press(key)
  await page.getByRole('link', { name: 'do the work' }).first().waitFor()

  await press('Tab')
  assert.equal(await focused(page), 'To the content')
  await press('Enter')
  await press('j')
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'do the work' }).waitFor()
  assert.match(page.url(), new RegExp(`/app/loops/${loop}$`))
  await press('i')
  await page.getByRole('dialog', { name: 'Tell the agent' }).waitFor()
  assert.equal(await focused(page), 'What the next iteration is told, once')
  await page.keyboard.type('by hand')
  await press('Tab')
  await press('Tab')
  await press('Enter')
  await page.getByText('The next prompt says it, once.').waitFor()
  await press('p')
  await page.getByText('pauses after this iteration', { exact: true }).waitFor()
  await press('2')
  await page.getByRole('log').first().waitFor()
  await press('?')
  await page.getByRole('dialog', { name: 'Keys' }).getByText('go to the machine').waitFor()
  await press('Escape')
  await press('Control+k')
  await page.keyboard.type(loop)
  await press('Enter')
  await page.getByRole('link', { name: 'Overview', exact: true }).waitFor()
  await press('x')
  await page.getByRole('dialog', { name: `Cancel loop ${loop}?` }).waitFor()
  await press('Tab')
  await press('Tab')
  assert.equal(await focused(page), 'Cancel the loop')
  await press('Enter')
  await page.getByText('cancelled by you').waitFor()
  assert.ok(
    rig.events(loop).some(event => event.kind === 'context.injected' && event.data.text === 'by hand'),
  )
  await page.context().close()
})

/** The focused element, as a screen reader announces it. */
async function focused(page: Page): Promise<string> {
  const said = await page.evaluate(`(() => {
    const at = document.activeElement
    return at?.getAttribute('aria-label') ?? at?.labels?.[0]?.textContent ?? at?.textContent ?? ''
  })()`)
  return String(said).trim()
}

test('on a phone nothing is wider than the screen, and a loop is paused with a thumb', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  const loop = await rig.background(
    `echo "a line that is much longer than any phone is wide: $(seq -s- 200)"; ${waitFor('never')}`,
    'false',
  )
  await rig.reaches(loop, 'running')
  const page = await openPage('/', { width: 390, height: 844 })
  const row = page.getByRole('listitem').filter({ hasText: loop })
  await row.waitFor()
  const fits = async (what: string) => {
    const wide = await page.evaluate('document.documentElement.scrollWidth')
    assert.ok(Number(wide) <= 390, `${what} is ${wide} wide`)
  }
  await fits('the list')
  await row.getByRole('link').click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await fits('the overview')
  for (const tab of ['Log', 'Prompts', 'Events', 'Changes']) {
    await page.getByRole('link', { name: tab, exact: true }).click()
    await fits(tab)
  }
  const button = await page.getByRole('button', { name: 'Pause' }).boundingBox()
  assert.ok(button && button.height >= 32, 'a thumb can meet it')
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('pauses after this iteration', { exact: true }).waitFor()
  await rig.loop(['cancel', loop])
  await page.context().close()
})

test('a page that fails says so, and the others go on', { skip: noBrowser }, async () => {
  const { rig } = web
  const loop = await rig.background('echo x > fails', 'test -f fails')
  await rig.reaches(loop, 'completed')
  const page = await openPage(`/app/loops/${loop}`)
  await page.route(/\/changes\?/, route => route.fulfill({ json: { unheard: 'of' } }))
  await page.getByRole('link', { name: 'Changes' }).click()
  await page.getByRole('alert').getByText('This page has failed').waitFor()
  await page.getByRole('link', { name: 'Machine' }).click()
  await page.getByText('Disk free').waitFor()
  await page.context().close()
})

test('the theme is chosen once, and kept', { skip: noBrowser }, async () => {
  const page = await openPage('/', { dark: true })
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const dark = await ground()
  await page.getByRole('button', { name: 'Theme: As the system' }).click()
  await page.getByRole('button', { name: 'Theme: Light' }).waitFor()
  const light = await ground()
  assert.notEqual(light, dark)
  await page.reload()
  await page.getByRole('button', { name: 'Theme: Light' }).waitFor()
  assert.equal(await ground(), light)
  await page.context().close()
})

test('a browser that is not signed in sees how to sign in, and nothing else', {
  skip: noBrowser,
}, async () => {
  const context = await newBrowser()
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', request => void asked.push(new URL(request.url()).pathname))
  await page.goto('/')
  await page.getByText('loop ui', { exact: true }).waitFor()
  assert.deepEqual(
    asked.filter(path => path.startsWith('/v1/')),
    [],
  )
  await context.close()
})
