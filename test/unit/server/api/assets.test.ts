/**
 * The files of the page: served in the best encoding that exists and is accepted, cached for a year; nothing outside of
 * the folder.
 */
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assetOf, indexPage } from '../../../../src/server/api/assets.ts'
import { tempDir } from '../../../rig/given.ts'

test('an asset is served in the best encoding that is there and wanted, and may be kept', async t => {
  const folder = tempDir(t)
  mkdirSync(join(folder, 'assets'))
  for (const end of ['', '.br', '.gz']) writeFileSync(join(folder, 'assets', `app-1.js${end}`), `js${end}`)
  writeFileSync(join(folder, 'assets', 'app-1.css'), 'css')
  const rows: [string, string, string, string | null][] = [
    ['app-1.js', 'gzip, deflate, br;q=1', 'js.br', 'br'],
    ['app-1.js', 'gzip', 'js.gz', 'gzip'],
    ['app-1.js', '', 'js', null],
    ['app-1.css', 'br', 'css', null],
  ]
  for (const [name, accepted, text, encoding] of rows) {
    const answer = assetOf(name, accepted, folder)
    assert.equal(answer.status, 200)
    assert.equal(await answer.text(), text)
    assert.equal(answer.headers.get('content-encoding'), encoding)
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(String(answer.headers.get('content-type')), /^text\/(javascript|css); charset=utf-8$/)
  }
})

test('what is not a file of the page is not found: another kind, a link, a directory, nothing', async t => {
  const folder = tempDir(t)
  mkdirSync(join(folder, 'assets', 'dir.js'), { recursive: true })
  writeFileSync(join(folder, 'assets', 'key.pem'), 'x')
  writeFileSync(join(folder, 'out.js'), 'x')
  symlinkSync(join(folder, 'out.js'), join(folder, 'assets', 'link.js'))
  for (const name of ['key.pem', 'link.js', 'dir.js', 'gone.js', '..'])
    assert.equal(assetOf(name, 'br', folder).status, 404, name)
  assert.match(await indexPage(folder).text(), /The page was not built/)
  writeFileSync(join(folder, 'index.html'), '<p>built')
  assert.equal(await indexPage(folder).text(), '<p>built')
})
