/**
 * Actions of a person on the page of a group: compare attempts, pick one, take a single file of another, apply a
 * result, roll the work tree back and undo that, cancel and restore the files.
 */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { waitFor } from '../rig/group.ts'
import { readOr, until } from '../rig/rig.ts'
import { browseForTests, noBrowser, openPage, violations, web } from './browser.ts'

browseForTests()

/** Each attempt writes its number, and a file of its own. */
const agent = 'echo "by $LOOP_ATTEMPT" > result; echo "notes of $LOOP_ATTEMPT" > notes'

test('attempts are compared, one is picked, and a file of another is taken', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  rig.write('start', 'here\n')
  const args = ['start', 'do it well', '-p', 'test -f result', '--agent', 'custom', '--agent-cmd', agent]
  const started = await rig.loop([...args, '--best-of', '2', '--best-of-manual', '-b', '--json'])
  assert.equal(started.code, 0, started.stderr)
  const { id } = JSON.parse(started.stdout)
  await rig.reaches(id, 'waiting')
  const page = await openPage(`/app/loops/${id}/compare`)
  const question = page.getByRole('region', { name: 'A question for you' })
  await question.waitFor()
  const choices = await question.getByRole('button').allTextContents()
  assert.equal(choices.length, 3, `two attempts, or none of them: ${choices}`)
  const [first = '', second = ''] = choices.map(words => words.trim())
  const table = page.getByRole('region', { name: 'Attempts' })
  assert.equal(await table.getByText('passed').count(), 2)
  await page.getByLabel('beside').selectOption(second)
  await page.getByText('by 1').first().waitFor()
  await page.getByText('by 2').first().waitFor()

  await question.getByRole('button', { name: second }).click()
  await page.getByText(`${second} is in the work tree, and the promise holds there`).waitFor()
  assert.equal(inTree('result'), 'by 2\n')
  await page.getByText('won: your choice').waitFor()

  await page.getByRole('button', { name: `Take file notes of ${first}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take it' }).click()
  await page.getByText(`notes of ${first} is being brought in.`).waitFor()
  await rig.reaches(id, 'completed')
  assert.equal(inTree('notes'), 'notes of 1\n')

  await page.getByRole('button', { name: `Pick ${first}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pick it' }).click()
  await page.getByText(`${first} is being brought in.`).waitFor()
  await page.getByText(`In the work tree: ${first}.`).waitFor()
  assert.equal(inTree('result'), 'by 1\n')
  await page.context().close()
})

function inTree(path: string): string | null {
  const file = join(web.rig.tree, path)
  return existsSync(file) ? readOr(file) : null
}

const dialogOf = (page: Page) => page.getByRole('dialog')

test('a result that was not applied is brought in, taken back, and brought back again', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  rig.write('same', 'before\n')
  const work = `touch "$ASIDE/works"; ${waitFor('go')}; echo theirs > same; echo x > made`
  const id = await rig.background(work, 'test -f made', '--isolated')
  await until('the agent', () => existsSync(join(rig.aside, 'works')))
  rig.write('same', 'ours\n')
  writeFileSync(join(rig.aside, 'go'), '')
  await rig.reaches(id, 'completed')
  assert.deepEqual([inTree('same'), inTree('made')], ['ours\n', null], 'nothing is half applied')
  const page = await openPage(`/app/loops/${id}`)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const confirm = (name: string) => dialogOf(page).getByRole('button', { name, exact: true }).click()

  await press('Apply')
  assert.deepEqual(await violations(page), [])
  await confirm('Apply it')
  await dialogOf(page).getByRole('alert').getByText('same').waitFor()
  assert.equal(inTree('same'), 'ours\n', 'it is in conflict still')
  await dialogOf(page).getByRole('button', { name: 'Not now' }).click()

  rig.write('same', 'before\n')
  await press('Apply')
  await confirm('Apply it')
  await page.getByText('It is being brought in.').waitFor()
  await until('the files', () => inTree('made') !== null)
  await rig.reaches(id, 'completed')
  assert.deepEqual([inTree('same'), inTree('made')], ['theirs\n', 'x\n'])
  await page.getByRole('button', { name: 'Apply', exact: true }).waitFor({ state: 'detached' })

  await press('Roll back')
  await dialogOf(page).getByLabel('To the checkpoint').selectOption('initial')
  const files = dialogOf(page).getByRole('list', { name: 'Files' })
  await files.getByText('made').waitFor()
  assert.deepEqual(await files.getByRole('listitem').allTextContents(), ['write  same', 'delete made'])
  await confirm('Roll back')
  await page.getByText('The files are as they were at initial.').waitFor()
  assert.deepEqual([inTree('same'), inTree('made')], ['before\n', null])
  await press('Undo')
  await page.getByText('The rollback is undone.').waitFor()
  assert.deepEqual([inTree('same'), inTree('made')], ['theirs\n', 'x\n'])
  await page.context().close()
})

test('a group is cancelled, and the files are as they were before it', { skip: noBrowser }, async () => {
  const { rig } = web
  rig.write('kept', 'before\n')
  const file = join(rig.tree, 'flow.yaml')
  const loops = [
    'name: flow',
    'loops:',
    '  - id: first',
    '    prompt: change it',
    '    promise: grep -q after kept',
    '  - id: second',
    '    prompt: go on',
    '    promise: test -f never',
    '    depends_on: [first]',
  ]
  writeFileSync(file, `${loops.join('\n')}\n`)
  const work = `grep -q after kept && ${waitFor('never')}; echo after > kept`
  const by = ['--agent', 'custom', '--agent-cmd', work, '--trust', '-b', '--json']
  const started = await rig.loop(['workflow', 'run', file, ...by])
  assert.equal(started.code, 0, started.stderr)
  const { id } = JSON.parse(started.stdout)
  const page = await openPage(`/app/loops/${id}`)
  const second = page.getByRole('listitem').filter({ hasText: 'second' })
  await second.getByRole('img', { name: 'running' }).waitFor()
  assert.equal(inTree('kept'), 'after\n')

  await page.keyboard.press('b')
  await dialogOf(page).getByText('It cannot be done now').waitFor()
  assert.ok(await dialogOf(page).getByRole('button', { name: 'Roll back' }).isDisabled())
  await page.keyboard.press('Escape')
  await page.keyboard.press('x')
  await dialogOf(page).getByLabel('Roll back to initial').check()
  await dialogOf(page).getByRole('button', { name: 'Cancel the group' }).click()
  await page.getByText('It is cancelled, and its files are as they were.').waitFor()
  assert.equal(inTree('kept'), 'before\n')
  assert.equal(rig.status(id), 'cancelled')
  await page.context().close()
})

test('a group is paused, resumed with another budget, and its loops are reached by the graph', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  const work = `${waitFor('on')}; echo "$LOOP_ITERATION" > turned`
  const promise = 'test "$(cat turned)" = 2'
  const id = await rig.background(work, promise, '--no-baseline', '--best-of', '2')
  const page = await openPage(`/app/loops/${id}`)
  const graph = page.getByRole('region', { name: 'Graph of the group' })
  await graph.getByRole('link', { name: '1-direct' }).click()
  await page.getByRole('navigation', { name: 'Parts of the loop' }).waitFor()
  await page.getByRole('link', { name: id }).click()
  await graph.waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('It pauses after the iterations of its loops.').waitFor()
  writeFileSync(join(rig.aside, 'on'), '')
  await page.getByText('paused by you').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await dialogOf(page).getByLabel('Budget of all together, in dollars').fill('40')
  await dialogOf(page).getByRole('button', { name: 'Resume' }).click()
  await page.getByText('of $40').waitFor()
  await page.getByText('is in the work tree, and the promise holds there').waitFor()
  assert.equal(inTree('turned'), '2\n')
  await page.context().close()
})
