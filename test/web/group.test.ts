/** Attempts side by side: a person picks the winner on the page, and takes a single file of another. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { browseForTests, noBrowser, openPage, web } from './browser.ts'

browseForTests()

/** Each attempt leaves its number, and a file of its own. */
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
  assert.equal(readFileSync(join(rig.tree, 'result'), 'utf8'), 'by 2\n')
  await page.getByText('won: your choice').waitFor()

  await page.getByRole('button', { name: `Take file notes of ${first}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take it' }).click()
  await page.getByText(`notes of ${first} is being brought in.`).waitFor()
  await rig.reaches(id, 'completed')
  const notes = () => existsSync(join(rig.tree, 'notes')) && readFileSync(join(rig.tree, 'notes'), 'utf8')
  assert.equal(notes(), 'notes of 1\n')
  assert.equal(readFileSync(join(rig.tree, 'result'), 'utf8'), 'by 2\n', 'the rest stays')
  await page.context().close()
})
