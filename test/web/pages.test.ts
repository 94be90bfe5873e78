/** Every page with content, dark and light. Pages without content: states.test. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { root, until } from '../rig/rig.ts'
import { browseForTests, noBrowser, openPage, signedIn, web } from './browser.ts'
import { judged, lookAt as lookIn, nothingFound, pictures, type Shown } from './looked.ts'

browseForTests(makeLoops)

const ids = { done: '', failed: '', asking: '', group: '', workflow: '', plan: '', suspect: '' }
let context: BrowserContext

const lookAt = (pages: readonly Shown[]) => lookIn(context, pages)

/** Makes one loop of each kind. */
async function makeLoops(): Promise<void> {
  const { rig } = web
  const demo = async (...args: string[]) =>
    JSON.parse((await rig.loop(['demo', ...args, '--json'])).stdout).id
  const later = [demo('plan'), suspected()]
  ids.done = await demo()
  ids.group = await demo('best-of')
  ids.workflow = await demo('workflow')
  const started = async (prompt: string, agent: string, ...more: string[]) => {
    const args = ['start', prompt, '--agent', 'custom', '--agent-cmd', agent, ...more, '-b', '--json']
    return JSON.parse((await rig.loop(args)).stdout).id
  }
  ids.failed = await started(
    'Write invoices as PDF',
    'echo looking; echo x >> notes',
    '-p',
    'test -f pdf',
    '-n',
    '2',
  )
  await rig.reaches(ids.failed, 'failed')
  const confirm = ['--no-baseline', '--confirm', 'The search feels fast']
  ids.asking = await started('Make the search faster', 'echo y >> notes', '-p', 'true', ...confirm)
  await rig.reaches(ids.asking, 'waiting')
  const [plan = '', suspect = ''] = await Promise.all(later)
  Object.assign(ids, { plan, suspect })
  context = await signedIn()
}

/** A suspect loop: its promise passes only because the agent changed its test. */
async function suspected(): Promise<string> {
  const { rig } = web
  const tree = join(rig.aside, 'suspect')
  mkdirSync(tree)
  const judge = (total: number) =>
    `const { total } = require('./cart.js')\nrequire('node:assert').equal(total([{ price: 5 }, { price: 5 }]), ${total})\n`
  writeFileSync(join(tree, 'cart.js'), 'exports.total = items => items.length * 4.5\n')
  writeFileSync(join(tree, 'cart.test.js'), judge(10))
  writeFileSync(join(rig.aside, 'weaker.js'), judge(9))
  const agent = ['--agent', 'custom', '--agent-cmd', 'cp "$ASIDE/weaker.js" cart.test.js']
  const args = ['start', 'Fix the failing tests of the shopping cart', '-p', 'node --test cart.test.js']
  const started = await rig.loop([...args, ...agent, '--cwd', tree, '-b', '--json'])
  const { id } = JSON.parse(started.stdout)
  // loop repeats the check in clean copies before it asks a person.
  await until('it to be suspect', () => rig.status(id) === 'waiting', 120_000)
  return id
}

const skip = noBrowser

test('the list, the palette above it, and both on a phone', { skip }, async () => {
  await lookAt([
    { at: '/', name: 'list', ready: 'Needs you' },
    { at: '/', name: 'palette', ready: 'Change the theme', act: openPalette },
  ])
  const phone = await openPage('/', { width: 390, height: 844 })
  await judged(phone, { name: 'list-phone', ready: 'Needs you' })
  await phone.goto(`/app/loops/${ids.done}`)
  await judged(phone, { name: 'loop-phone', ready: 'the promise holds' })
  await phone.goto(`/app/loops/${ids.plan}/tasks`)
  await judged(phone, { name: 'tasks-phone', ready: 'Wave 1' })
  await phone.goto('/app/start?kind=plan')
  await judged(phone, { name: 'start-phone', ready: 'How clear it is' })
  await phone.context().close()
  nothingFound()
})

/** The page handles keys only once it is drawn. */
async function openPalette(page: Page): Promise<void> {
  await page.getByText('Needs you').first().waitFor()
  await page.keyboard.press('Control+k')
}

test('the parts of a loop', { skip }, async () => {
  const at = `/app/loops/${ids.done}`
  await lookAt([
    { at, name: 'loop', ready: 'Timeline' },
    { at: `${at}/log?run=2`, name: 'log', ready: 'A discount is a percentage' },
    { at: `${at}/changes`, name: 'changes', ready: 'item.price * item.quantity' },
    { at: `${at}/prompts`, name: 'prompts', ready: 'Exactly what the agent was told' },
    { at: `${at}/events`, name: 'events', ready: 'loop.completed' },
    { at: `/app/loops/${ids.asking}`, name: 'question', ready: 'Is this so?' },
    { at: `/app/loops/${ids.suspect}`, name: 'suspect', ready: '{ price: 5 }]), 9)' },
  ])
})

test('questions before an action', { skip }, async () => {
  const click = (name: string) => (page: Page) => page.getByRole('button', { name }).click()
  const press = (key: string) => async (page: Page) => {
    await page.getByRole('navigation', { name: 'Parts of the loop' }).waitFor()
    await page.keyboard.press(key)
  }
  const back = async (page: Page) => {
    await click('Roll back')(page)
    await page.getByLabel('To the checkpoint').selectOption('initial')
  }
  const [done, failed, asking] = [ids.done, ids.failed, ids.asking].map(id => `/app/loops/${id}`)
  await lookAt([
    { at: done ?? '', name: 'rollback', ready: 'What is there now is saved first', act: back },
    { at: failed ?? '', name: 'resume', ready: 'Iterations at most', act: click('Resume') },
    { at: asking ?? '', name: 'cancel', ready: 'Keep the files as they are', act: click('Cancel') },
    { at: asking ?? '', name: 'inject', ready: 'What the next iteration is told', act: click('Inject') },
    { at: asking ?? '', name: 'checkpoint', ready: 'Name (may be empty)', act: click('Checkpoint') },
    { at: asking ?? '', name: 'keys', ready: 'go to the machine', act: press('?') },
    {
      at: `/app/loops/${ids.group}/compare`,
      name: 'pick',
      ready: 'The tree is saved first',
      act: page => page.getByRole('button', { name: 'Pick' }).first().click(),
    },
    {
      at: `/app/loops/${ids.group}`,
      name: 'group-rollback',
      ready: 'What is there now is saved first',
      act: back,
    },
  ])
})

test('groups', { skip }, async () => {
  await lookAt([
    { at: `/app/loops/${ids.workflow}`, name: 'workflow', ready: 'what waits for what' },
    { at: `/app/loops/${ids.group}`, name: 'best-of', ready: 'what waits for what' },
    { at: `/app/loops/${ids.group}/compare`, name: 'compare', ready: 'item.price * item.quantity' },
    { at: `/app/loops/${ids.group}/events`, name: 'group-events', ready: 'group.completed' },
  ])
})

test('the parts of a plan', { skip }, async () => {
  const at = `/app/loops/${ids.plan}`
  const open = (page: Page) => page.getByText('Describe the cart in CART.md').first().click()
  await lookAt([
    { at, name: 'plan', ready: 'the cart is documented' },
    { at: `${at}/tasks`, name: 'tasks', ready: 'Wave 3', act: open },
    { at: `${at}/reviews`, name: 'reviews', ready: 'documentation says nothing' },
    { at: `${at}/learnings`, name: 'learnings', ready: 'Limits in this cart are inclusive' },
  ])
})

test('the start form, the report and the machine', { skip }, async () => {
  const start = `/app/start?cwd=${web.rig.tree}&prompt=Fix+the+tests&promise=npm+test`
  const fill = async (page: Page) => {
    await page.getByLabel('agent', { exact: true }).fill('custom')
    await page.getByLabel('agent_cmd').fill('cat')
  }
  await lookAt([
    { at: start, name: 'start', ready: 'loop start', act: fill },
    { at: start.replace('?', '?kind=plan&'), name: 'start-plan', ready: 'loop plan' },
    {
      at: start.replace('?', '?kind=template&template=tdd&'),
      name: 'start-template',
      ready: 'loop template run',
    },
    { at: '/app/report', name: 'report', ready: 'Waiting for you' },
    { at: '/app/machine', name: 'machine', ready: 'Disk free' },
    { at: '/app/machine/agents', name: 'agents', ready: 'What it does without being asked' },
    { at: '/app/machine/disk', name: 'disk', ready: 'What loop holds' },
    { at: '/app/machine/config', name: 'config', ready: 'max_concurrent_loops' },
    { at: '/app/machine/doctor', name: 'doctor', ready: 'node' },
  ])
})

test('no page of the guide shows a picture that is not there', () => {
  const guide = readFileSync(join(root, 'docs/guide/page.md'), 'utf8')
  const named = Array.from(guide.matchAll(/\.\.\/screenshots\/([\w-]+\.webp)/g), ([, file = '']) => file)
  assert.ok(named.length > 0)
  for (const file of named) readFileSync(join(pictures, file))
})
