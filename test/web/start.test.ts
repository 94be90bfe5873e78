/**
 * A loop started from the form: commands of the project are offered, the command for the start is shown, and it runs.
 */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { browseForTests, noBrowser, openPage, web } from './browser.ts'

browseForTests()

test('the form offers what the project has, says what is wrong, shows the command, and starts it', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  rig.write('package.json', JSON.stringify({ scripts: { test: 'test -f done' } }))
  const page = await openPage('/app/start')
  await page.getByLabel('Directory').fill(join(rig.tree, 'not-there'))
  await page.getByText('not-there').last().waitFor()
  await page.getByLabel('Directory').fill(rig.tree)
  await page.getByRole('button', { name: 'npm test' }).click()
  await page.getByLabel('What the agent is to do').fill("Make it done, and don't stop")
  await page.getByLabel('agent', { exact: true }).fill('custom')
  await page.getByRole('alert').getByText('--agent-cmd').waitFor()
  await page.getByLabel('agent_cmd').fill('echo made; touch done')
  const command = page.getByRole('region', { name: 'What would run' }).getByRole('code')
  await command.getByText('loop start').waitFor()
  const words = (await command.textContent()) ?? ''
  for (const part of [
    "'Make it done, and don'\\\\''t stop'",
    "--promise 'npm test'",
    '--agent custom',
    "--agent-cmd 'echo made; touch done'",
  ])
    assert.ok(words.includes(part.replaceAll('\\\\', '\\')), `${part} is in ${words}`)
  await page.getByRole('button', { name: 'Start the loop' }).click()
  await page.getByText('the promise holds').waitFor()
  const [id = ''] = /\w{6}$/.exec(new URL(page.url()).pathname) ?? []
  const created = rig.events(id)[0]
  assert.equal(created?.kind === 'loop.created' && created.data.spec.prompt, "Make it done, and don't stop")
  await page.context().close()
})

test('a configuration of the project is used only after it was shown and trusted', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  mkdirSync(join(rig.tree, '.loop'), { recursive: true })
  writeFileSync(join(rig.tree, '.loop/config.yaml'), 'max_iterations: 3\n')
  const page = await openPage(`/app/start?cwd=${rig.tree}&prompt=Again&promise=false`)
  await page.getByLabel('agent', { exact: true }).fill('custom')
  await page.getByLabel('agent_cmd').fill('echo x >> log')
  await page.getByText('max_iterations: 3').waitFor()
  await page.getByLabel('I have read it. Use it, now and until it changes.').check()
  await page.getByRole('button', { name: 'Start the loop' }).click()
  await page.getByText('of 3', { exact: true }).waitFor()
  await page.context().close()
})

const loopOf = (id: string, what: string) =>
  `loops:\n  - id: ${id}\n    prompt: make {{${what}}}\n    promise: test -e {{${what}}}\n`

test('attempts, a template and a workflow file are started from the form, with what they want of a person', {
  skip: noBrowser,
}, async () => {
  const { rig } = web
  rmSync(join(rig.tree, '.loop'), { recursive: true, force: true })
  const templates = join(rig.tree, '.loop', 'templates')
  mkdirSync(templates, { recursive: true })
  const vars = 'vars:\n  what: {description: the file that is made}\n'
  writeFileSync(join(templates, 'maker.yaml'), `name: maker\n${vars}${loopOf('made', 'what')}`)
  const file = join(rig.tree, 'flow.yaml')
  writeFileSync(file, `name: flow\n${vars}${loopOf('one', 'what').replace('promise', 'promis')}`)
  const page = await openPage(`/app/start?kind=template&cwd=${rig.tree}`)
  const agent = async (command: string) => {
    await page.getByLabel('agent', { exact: true }).fill('custom')
    await page.getByLabel('agent_cmd').fill(command)
  }
  const trust = () => page.getByLabel('I have read it. Use it, now and until it changes.').check()
  const kind = (name: string) => page.getByRole('button', { name, exact: true }).click()

  await page.getByRole('radio', { name: /^maker project/ }).check()
  await page.getByLabel('what needed').fill("by the template's hand")
  await agent('touch "by the template\'s hand"')
  assert.ok(
    await page.getByRole('button', { name: 'Start the template' }).isDisabled(),
    'it is not trusted yet',
  )
  await trust()
  await page.getByText(`--set 'what=by the template'\\''s hand'`).waitFor()
  await page.getByRole('button', { name: 'Start the template' }).click()
  await page.getByText('all its loops have completed').waitFor()

  await page.goto(`/app/start?kind=workflow&cwd=${rig.tree}`)
  await page.getByLabel('Workflow file').fill(file)
  const wrong = page.getByRole('list', { name: 'What is wrong with the file' })
  await wrong.getByText('promis').first().waitFor()
  writeFileSync(file, `name: flow\n${vars}${loopOf('one', 'what')}`)
  await page.getByRole('button', { name: 'Look again' }).click()
  await page.getByRole('region', { name: 'What it would run' }).getByText('one').first().waitFor()
  await page.getByLabel('what needed').fill('flowed')
  await agent('touch flowed')
  await trust()
  await page.getByRole('button', { name: 'Start the workflow' }).click()
  await page.getByText('all its loops have completed').waitFor()

  await page.goto(`/app/start?cwd=${rig.tree}`)
  await kind('Best of several')
  await page.getByLabel('What the agent is to do').fill('Do it well')
  await page.getByLabel('Promise 1').fill('test -e best')
  await agent('touch best')
  await page.getByLabel('best_of', { exact: true }).fill('2')
  await page.getByRole('region', { name: 'What would run' }).getByText('--best-of 2').waitFor()
  await page.getByRole('button', { name: 'Start the attempts' }).click()
  await page.getByText('is in the work tree, and the promise holds there').waitFor()
  await page.context().close()
})
