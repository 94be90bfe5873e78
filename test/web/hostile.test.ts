/** What an agent prints, names and writes stays text: markup, escapes, a very long line, text that turns around. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { browseForTests, noBrowser, openPage, web } from './browser.ts'

browseForTests()

/** Would set a mark on the page if any of it became markup. */
const markup = `<img src=x onerror="window.isOwned=1"><script>window.isOwned=1</script>`
/** Moves the cursor, clears the screen, sets the title, opens a link, and colours. */
const escapes =
  '\\033[2J\\033[H\\033]0;owned\\007\\033]8;;https://example.org\\007link\\033]8;;\\007\\033[31mred\\033[0m'
/** A character in it makes what follows read from right to left. */
const turned = 'abc\u202Edef'

const agent = `printf '%s\\n' '${markup}' '${turned}'
printf '${escapes}\\n'
head -c 10000000 /dev/zero | tr '\\0' 'x'; echo
echo '${markup}' > '<b onclick=alert(1)>name.txt'
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
  assert.ok(shown.includes('abc\\u{202e}def'), 'what turns text around is spelled out')
  assert.ok(!/\p{Cc}/u.test(shown), 'no control character is left')
  assert.ok(shown.length < 20_000, `a line of 10 MB is cut: ${shown.length}`)
  assert.match(shown, /10(?:\.0)? MB more/)
  assert.equal(await log.locator('.sgr-1').textContent(), 'red')
  assert.equal(await log.locator('a[href^="https:"]').count(), 0)

  await page.goto(`/app/loops/${loop}/changes`)
  await page.getByRole('region', { name: '<b onclick=alert(1)>name.txt' }).getByText(markup).waitFor()
  await page.goto(`/app/loops/${loop}`)
  await page.getByRole('button', { name: /^Output of echo/ }).click()
  await page.getByLabel('What the criterion printed').getByText(markup).waitFor()
  await page.goto(`/app/loops/${loop}/events`)
  await page.getByRole('button', { name: /loop\.created/ }).click()
  await page.getByLabel(/^Event 1$/).waitFor()
  assert.equal(await page.evaluate('window.isOwned'), undefined)
  assert.equal(await page.locator('img').count(), 0)
  await page.context().close()
})
