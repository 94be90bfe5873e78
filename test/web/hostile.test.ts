/** Output, names and texts of an agent stay text: markup, escapes, a very long line, text with reversed direction. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { putPrograms } from '../agents/stand-in.ts'
import { browseForTests, noBrowser, openPage, web } from './browser.ts'
import { assertOnlyText, markup } from './only-text.ts'

browseForTests()

/** Escapes that move the cursor, clear the screen, set the title, open a link, and set colours. */
const escapes =
  '\\033[2J\\033[H\\033]0;owned\\007\\033]8;;https://example.org\\007link\\033]8;;\\007\\033[31mred\\033[0m'
/** Contains a character that reverses the direction of the text after it. */
const turned = 'abc\u202Edef'
const spelled = String.raw`abc\u{202e}def`

const agent = `printf '%s\\n' '${markup}' '${turned}'
printf '${escapes}\\n'
head -c 10000000 /dev/zero | tr '\\0' 'x'; echo
echo '${markup}' > '<b onclick=alert(1)>name.txt'
mkdir '${turned}'
echo '${markup}' > '${turned}/${turned}.txt'
printf '\\001\\002\\000binary' > noise
echo last line`

test('hostile output, names and prompts stay text on every page', { skip: noBrowser }, async () => {
  const { rig } = web
  const script = join(rig.aside, 'agent.sh')
  writeFileSync(script, agent)
  const what = ['start', `${markup} ${turned}`, '-p', `echo '${markup}'; false`, '-n', '1']
  const by = ['--agent', 'custom', '--agent-cmd', `sh ${script}`, '-b', '--json']
  const started = await rig.loop([...what, ...by])
  assert.equal(started.code, 0, started.stderr)
  const { id: loop } = JSON.parse(started.stdout)
  await rig.reaches(loop, 'failed')
  const page = await openPage('/')
  await page.getByRole('link', { name: markup }).first().waitFor()

  await page.goto(`/app/loops/${loop}/log`)
  const log = page.getByRole('log').last()
  await log.getByText('last line', { exact: true }).waitFor()
  const shown = (await log.textContent()) ?? ''
  assert.ok(shown.includes(markup), 'markup is shown as it is')
  assert.ok(shown.includes(spelled), 'what turns text around is spelled out')
  assert.ok(!/\p{Cc}/u.test(shown), 'no control character is left')
  assert.ok(shown.length < 20_000, `a line of 10 MB is cut: ${shown.length}`)
  assert.match(shown, /10(?:\.0)? MB more/)
  assert.equal(await log.locator('.sgr-1').textContent(), 'red')
  assert.equal(await log.locator('a[href^="https:"]').count(), 0)

  await page.goto(`/app/loops/${loop}/changes`)
  await page.getByRole('region', { name: '<b onclick=alert(1)>name.txt' }).getByText(markup).waitFor()
  const inFolder = page.getByRole('region', { name: `${spelled}/${spelled}.txt` })
  await inFolder.getByText(markup).waitFor()
  await page.getByRole('navigation', { name: 'Changed files' }).getByText(spelled, { exact: true }).waitFor()
  await assertOnlyText(page)
  await inFolder.getByRole('button', { name: 'Comment on line 1' }).click()
  await page.getByRole('dialog').getByText(`About ${spelled}/${spelled}.txt, line 1:`).waitFor()
  await assertOnlyText(page)
  await page.goto(`/app/loops/${loop}`)
  await page.getByRole('button', { name: /^Output of echo/ }).click()
  await page.getByLabel('What the criterion printed').getByText(markup).waitFor()
  await page.goto(`/app/loops/${loop}/events`)
  await page.getByRole('button', { name: /loop\.created/ }).click()
  await page.getByLabel(/^Event 1$/).waitFor()
  await assertOnlyText(page)
  await page.context().close()
})

test('what an agent says stays text, and is cut where it is very long', { skip: noBrowser }, async () => {
  const { rig } = web
  const said = { content: [{ type: 'text', text: `${markup} ${turned} ${'x'.repeat(7_000_000)}` }] }
  const told = { content: [{ type: 'text', text: `\u001B[2J${turned} the end` }] }
  const stream = [
    { type: 'system', subtype: 'init', session_id: 's' },
    { type: 'assistant', message: said, session_id: 's' },
    { type: 'assistant', message: told, session_id: 's' },
  ]
  const file = join(rig.aside, 'stream')
  writeFileSync(file, stream.map(line => `${JSON.stringify(line)}\n`).join(''))
  putPrograms(rig, { claude: `cat '${file}'; touch done` })
  const args = ['start', 'say it', '-p', 'test -f done', '--agent', 'claude', '-b', '--json']
  const started = await rig.loop(args)
  assert.equal(started.code, 0, started.stderr)
  const { id } = JSON.parse(started.stdout)
  await rig.reaches(id, 'completed')
  const page = await openPage(`/app/loops/${id}/log?show=talk`)
  const talk = page.getByRole('log', { name: 'What the agent said and did' })
  await talk.getByText('the end').waitFor()
  const shown = (await talk.textContent()) ?? ''
  assert.ok(shown.includes(`${markup} ${spelled}`))
  assert.ok(shown.length < 100_000, `7 MB of words are cut: ${shown.length}`)
  await assertOnlyText(page)
  await page.context().close()
})
