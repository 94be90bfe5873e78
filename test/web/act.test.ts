/** Actions of a person on the page of a loop: watch it live, send it a text, pause, resume, roll back, answer. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { waitFor } from '../rig/group.ts'
import { until } from '../rig/rig.ts'
import { browseForTests, noBrowser, openPage, steeredAgent, web } from './browser.ts'

browseForTests()

function letTurn(n: number): void {
  writeFileSync(join(web.rig.aside, `turn-${n}`), '')
}

async function titleBegins(page: Page, words: string): Promise<void> {
  await until(`the title ${words}`, async () => (await page.title()).startsWith(words))
}

test('a loop is watched live, told something, paused and resumed with raised limits', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  const loop = await rig.background(
    steeredAgent('echo "line $n" >> work'),
    'test "$(wc -l < work)" -ge 3',
    '-n',
    '2',
  )
  const page = await openPage(`/app/loops/${loop}/log`)
  await page.getByText('turn 1 begins').waitFor()
  await titleBegins(page, '▸ running')

  await page.getByRole('button', { name: 'Inject' }).click()
  await page.getByLabel('What the next iteration is told, once').fill('Mind the <b>tabs</b>')
  await page.getByRole('dialog').getByRole('button', { name: 'Inject' }).click()
  await page.getByText('The next prompt says it, once.').waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('pauses after this iteration', { exact: true }).waitFor()

  letTurn(1)
  await page.getByText('paused by you').waitFor()
  assert.equal(readFileSync(join(rig.tree, 'work'), 'utf8'), 'line 1\n')
  await page.getByText('turn 1 ends').waitFor()

  await page.getByRole('button', { name: 'Resume' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Iterations at most').fill('5')
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('turn 2 begins').waitFor()
  await page.getByText('of 5', { exact: true }).waitFor()

  await page.getByRole('link', { name: 'Prompts' }).click()
  await page.getByLabel('The prompt', { exact: true }).getByText('Mind the <b>tabs</b>').waitFor()
  letTurn(2)
  letTurn(3)
  await page.getByText('the promise holds').waitFor()
  await page.context().close()
})

test('a rollback shows its files, does what it says, and is undone', { skip: noBrowser }, async () => {
  const { rig } = web
  rmSync(join(rig.tree, 'work'), { force: true })
  const loop = await rig.background('echo new > fresh; echo mine >> kept', 'test -f fresh')
  await rig.reaches(loop, 'completed')
  const page = await openPage(`/app/loops/${loop}`)
  await page.getByRole('button', { name: 'Roll back' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('To the checkpoint').selectOption('initial')
  const files = dialog.getByRole('list', { name: 'Files' })
  await files.getByText('fresh').waitFor()
  assert.match((await files.textContent()) ?? '', /delete\s*fresh/)
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  await page.getByText('The files are as they were at initial.').waitFor()
  assert.equal(existsSync(join(rig.tree, 'fresh')), false)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The rollback is undone.').waitFor()
  assert.equal(readFileSync(join(rig.tree, 'fresh'), 'utf8'), 'new\n')
  await page.context().close()
})

test('a question is answered in words, and then with yes', { skip: noBrowser }, async () => {
  const { rig } = web
  const agent = 'echo x >> asked'
  const loop = await rig.background(agent, 'true', '--no-baseline', '--confirm', 'The page is readable')
  await rig.reaches(loop, 'waiting')
  const page = await openPage('/')
  const row = page.getByRole('listitem').filter({ hasText: loop })
  await row.getByText('a human has to say whether this is so: The page is readable').waitFor()
  await titleBegins(page, '(1) Loops')
  await row.getByRole('link').click()
  const question = page.getByRole('region', { name: 'A question for you' })
  await question.getByLabel('What is wrong').fill('the letters are too small')
  await question.getByRole('button', { name: 'Answer' }).click()
  await page.getByText('Answered.').waitFor()
  await until('the second iteration', () => readFileSync(join(rig.tree, 'asked'), 'utf8') === 'x\nx\n')
  await question.getByRole('button', { name: 'yes' }).click()
  await page.getByText('the promise holds').waitFor()
  const told = rig.events(loop).flatMap(event => (event.kind === 'question.answered' ? event.data.text : []))
  assert.deepEqual(told, ['the letters are too small', ''])
  await page.context().close()
})

test('a suspect shows what it passes by, is sent back in words, and counts once it is accepted', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  const judge = (total: number) =>
    `require('node:assert').equal(require('./shop.js').total(), ${total}) // <b>sum</b>\n`
  rig.write('shop.js', 'exports.total = () => 9\n')
  rig.write('shop.test.js', judge(10))
  writeFileSync(join(rig.aside, 'weaker'), judge(9))
  const agent = 'cp "$ASIDE/weaker" shop.test.js; echo x >> tries'
  const loop = await rig.background(agent, 'node --test shop.test.js', '-n', '9')
  await rig.reaches(loop, 'waiting')
  const page = await openPage(`/app/loops/${loop}`)
  const question = page.getByRole('region', { name: 'A question for you' })
  await question.getByText('Suspect: does this count?').waitFor()
  const file = question.getByRole('region', { name: 'shop.test.js' })
  await file.getByText(judge(9).trim()).waitFor()
  await question.getByLabel('What the agent is told').fill('mend the shop instead')
  await question.getByRole('button', { name: 'Send back' }).click()
  await until('another try', () => readFileSync(join(rig.tree, 'tries'), 'utf8') === 'x\nx\nx\n')
  await question.getByRole('button', { name: 'Accept the changes' }).click()
  await page.getByText('the promise holds').waitFor()
  const told = rig.events(loop).flatMap(event => (event.kind === 'question.answered' ? event.data.text : []))
  assert.deepEqual(told, ['mend the shop instead', ''])
  await page.context().close()
})

test('a checkpoint is saved under a name, and a cancel brings the files back to the start', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  rig.write('begun', 'before\n')
  const loop = await rig.background(`echo after > begun; ${waitFor('never')}`, 'false')
  await until('the agent', () => readFileSync(join(rig.tree, 'begun'), 'utf8') === 'after\n')
  const page = await openPage(`/app/loops/${loop}`)
  await page.getByRole('button', { name: 'Checkpoint' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name (may be empty)').fill('half way')
  assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled(), 'a name has no space')
  await dialog.getByLabel('Name (may be empty)').fill('half-way')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const saved = () =>
    rig.events(loop).some(event => event.kind === 'checkpoint.taken' && event.data.name === 'half-way')
  await until('the checkpoint', saved)

  await page.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByLabel('Roll back to initial').check()
  await dialog.getByRole('button', { name: 'Cancel the loop' }).click()
  await page.getByText('It is cancelled, and its files are as they were.').waitFor()
  assert.equal(readFileSync(join(rig.tree, 'begun'), 'utf8'), 'before\n')
  await page.getByText('cancelled by you').waitFor()
  await page.context().close()
})

test('a comment on a line of a diff becomes an injection', { skip: noBrowser }, async () => {
  const { rig } = web
  const agent = 'echo "let total = 1" >> code.js'
  const loop = await rig.background(agent, 'false', '-n', '1')
  await rig.reaches(loop, 'failed')
  const page = await openPage(`/app/loops/${loop}/changes?from=iter-001&to=iter-001-after`)
  const file = page.getByRole('region', { name: 'code.js' })
  await file.getByText('let total = 1').waitFor()
  await file.getByRole('button', { name: 'Comment on line 1' }).click()
  await page.getByLabel('What the next iteration is told, once').fill('Name it sum.')
  await page.getByRole('dialog').getByRole('button', { name: 'Inject' }).click()
  await page.getByText('The next prompt says it, once.').waitFor()
  const texts = rig.events(loop).flatMap(event => (event.kind === 'context.injected' ? event.data.text : []))
  assert.deepEqual(texts, ['About code.js, line 1:\n> let total = 1\n\nName it sum.'])
  await page.context().close()
})
