/**
 * Every page without content, and with a loopd that cannot answer: designed, explained in words, and free of axe
 * findings.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { planArgs, planScript, vagueSpec } from '../rig/plan.ts'
import { root } from '../rig/rig.ts'
import { browseForTests, newBrowser, noBrowser, signedIn, web } from './browser.ts'
import { lookAt, type Shown } from './looked.ts'

browseForTests(async () => {
  context = await signedIn({ width: 1080, height: 640 })
})

let context: BrowserContext
const skip = noBrowser

test('pages while nothing is there', { skip }, async () => {
  await lookAt(context, [
    { at: '/', name: 'list-empty', ready: 'No loop yet' },
    { at: '/app/report', name: 'report-empty', ready: 'No loop has run in this time' },
    { at: '/app/start?kind=template', name: 'start-empty', ready: 'Which templates there are' },
    { at: '/app/loops/zzzzzz', name: 'loop-unknown', ready: 'cannot be shown' },
    { at: '/app/nowhere', name: 'no-page', ready: 'There is no such page' },
  ])
})

test('a browser that is not signed in', { skip }, async () => {
  const stranger = await newBrowser({ width: 1080, height: 640 })
  await lookAt(stranger, [{ at: '/', name: 'signed-out', ready: 'This browser is not signed in' }])
  await stranger.close()
})

/** Scrolls to these words, which stand below the question. */
const below = (words: string) => (page: Page) => page.getByText(words).scrollIntoViewIfNeeded()

test('parts of loops and groups that have not begun', { skip }, async () => {
  const { rig } = web
  const confirm = ['--no-baseline', '--confirm', 'The search feels fast']
  const holder = await rig.background('echo y >> notes', 'true', ...confirm)
  await rig.reaches(holder, 'waiting')
  // Both wait until the work tree is free.
  const queued = await rig.background('true', 'true')
  const attempts = await rig.background('true', 'true', '--best-of', '2')
  const shop = join(rig.aside, 'shop')
  cpSync(join(root, 'demo', 'project'), shop, { recursive: true })
  const wish = planArgs(vagueSpec, planScript(rig), '--ask-later', '-b', '--json', '--cwd', shop)
  const plan = JSON.parse((await rig.loop(wish)).stdout).id
  await rig.reaches(plan, 'waiting')
  const [at, group, planned] = [queued, attempts, plan].map(id => `/app/loops/${id}`)
  await lookAt(context, [
    { at: '/?q=nothing-is-like-this', name: 'list-none', ready: 'No loop matches' },
    { at: `${at}`, name: 'loop-empty', ready: 'queued' },
    { at: `${at}/log`, name: 'log-empty', ready: 'No agent has run yet' },
    { at: `${at}/changes`, name: 'changes-empty', ready: 'Nothing to compare yet' },
    { at: `${at}/prompts`, name: 'prompts-empty', ready: 'No agent has been asked' },
    { at: `${group}/compare`, name: 'compare-empty', ready: 'No attempt is planned yet' },
    { at: `${planned}`, name: 'plan-question', ready: 'What you want is not clear yet' },
    { at: `${planned}/tasks`, name: 'tasks-empty', ready: 'No tasks yet', act: below('No tasks yet') },
    {
      at: `${planned}/reviews`,
      name: 'reviews-empty',
      ready: 'Not reviewed yet',
      act: below('Not reviewed yet'),
    },
    {
      at: `${planned}/learnings`,
      name: 'learnings-empty',
      ready: 'Nothing was learnt here yet',
      act: below('Nothing was learnt here yet'),
    },
  ])
})

const failure = { error: { reason: 'system', message: 'The disk of the store is full. Free some space.' } }

/** Every route answers with this failure, after loopd has proved itself; the page shows it, with a button to try again. */
async function failing(page: Page): Promise<void> {
  await page.route(/\/v1\/(?!feed|proof)/, route => route.fulfill({ status: 500, json: failure }))
  await page.reload()
}

test('pages where loopd cannot answer', { skip }, async () => {
  const { rig } = web
  const free = join(rig.aside, 'free')
  mkdirSync(free)
  const loop = await rig.background('echo x > worked', 'test -e worked', '--cwd', free)
  await rig.reaches(loop, 'completed')
  const ready = 'Free some space.'
  const at = `/app/loops/${loop}`
  const some: [at: string, name: string, except?: RegExp][] = [
    ['/', 'list'],
    [at, 'loop'],
    [`${at}/log`, 'log', /events/],
    [`${at}/changes`, 'changes', /events/],
    [`${at}/prompts`, 'prompts', /events/],
    ['/app/start', 'start'],
    ['/app/report', 'report'],
    ['/app/machine', 'machine'],
    ['/app/machine/agents', 'agents'],
    ['/app/machine/disk', 'disk'],
    ['/app/machine/config', 'config'],
    ['/app/machine/doctor', 'doctor'],
  ]
  const shown = some.map(([place, name, except]): Shown => {
    const act = async (page: Page) => {
      await page.unrouteAll()
      await failing(page)
      if (except) await page.route(except, route => route.continue())
      if (except) await page.reload()
    }
    return { at: place, name: `${name}-error`, ready, act }
  })
  await lookAt(context, shown)
  const file = join(rig.tree, 'flow.yaml')
  writeFileSync(file, 'name: flow\nloops:\n  - id: one\n    prompt: do it\n    promis: npm test\n')
  const query = `kind=workflow&cwd=${rig.tree}&file=${file}`
  await lookAt(context, [
    { at: `/app/start?${query}`, name: 'start-workflow-error', ready: 'The file cannot run as it is' },
  ])
})

test('a page whose loopd is gone says so, and what it shows stays', { skip }, async () => {
  const gone = new Promise(resolve => web.daemon.child.once('close', resolve))
  const stop = async (page: Page) => {
    await page.getByText('Needs you').first().waitFor()
    await page.locator('[data-link=live]').waitFor()
    web.daemon.child.kill('SIGKILL')
    await gone
  }
  await lookAt(context, [
    { at: '/', name: 'list-lost', ready: 'loopd does not answer; trying again.', act: stop },
  ])
})
