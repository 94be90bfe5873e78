/**
 * The page in a real Chromium against a real loopd: a browser for each test file, tabs that are signed in as a person
 * would, and a list of faults that no page may have (errors, violations of its policy, requests to other hosts).
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type DaemonRig, makeDaemonRig } from '../rig/daemon.ts'
import { refused } from '../rig/needs.ts'
import { freePort } from '../rig/port.ts'
import { type Running, root } from '../rig/rig.ts'

/**
 * Set before the first test of the file. `complaints`: the faults of all pages of the file; the list must stay empty.
 */
export const web = {
  rig: {} as DaemonRig,
  browser: {} as Browser,
  origin: '',
  daemon: {} as Running,
  complaints: [] as string[],
  /** Servers of the test itself: a page may be there, or ask them, without a complaint. */
  others: [] as string[],
}

const places = [process.env['LOOP_CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser']
export const chromiumProgram = places.find(place => place !== '' && existsSync(place))

/** The reason why the tests of the page cannot run; false if there is a Chromium. */
export const noBrowser =
  chromiumProgram === undefined && refused('no Chromium: install chromium, or set LOOP_CHROMIUM')

export const chromiumSwitches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** `prepare`: called once browser and loopd are ready. */
export function browseForTests(prepare?: () => Promise<void>): void {
  if (chromiumProgram === undefined) return
  const cleanups: (() => void | Promise<void>)[] = []
  before(async () => {
    const rig = makeDaemonRig({ after: work => void cleanups.push(work as () => void) })
    const port = await freePort()
    await rig.loop(['config', 'set', 'web_ui_port', String(port)])
    const daemon = await rig.startDaemon()
    const browser = await chromium.launch({
      executablePath: chromiumProgram,
      args: chromiumSwitches,
      timeout: 120_000,
    })
    Object.assign(web, { rig, browser, daemon, origin: `http://127.0.0.1:${port}` })
    await prepare?.()
  })
  after(async () => {
    await web.browser.close?.()
    for (const clean of cleanups) await clean()
    assert.deepEqual(web.complaints, [])
  })
}

type Stored = Awaited<ReturnType<BrowserContext['storageState']>>

export type Look = { width?: number; height?: number; dark?: boolean }

/** A browser context that loopd does not know; `context.newPage()` opens a tab in it. `kept`: what it has stored. */
export async function newBrowser(
  { width = 1280, height = 800, dark = false }: Look = {},
  kept: Stored = { cookies: [], origins: [] },
): Promise<BrowserContext> {
  const context = await web.browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    baseURL: web.origin,
    reducedMotion: 'reduce',
    storageState: kept,
  })
  context.setDefaultTimeout(120_000)
  context.on('page', watchPage)
  return context
}

/** The same, signed in by `loop ui`. */
export async function signedIn(look: Look = {}): Promise<BrowserContext> {
  const context = await newBrowser(look)
  const invited = await web.rig.loop(['ui', '--print'])
  assert.equal(invited.code, 0, invited.stderr)
  const page = await context.newPage()
  await page.goto(invited.stdout.trim())
  // The page has exchanged the code of its address for a key.
  await page.locator('[data-link=live]').waitFor({ state: 'attached' })
  await page.close()
  return context
}

/** What a browser has stored that signed in once for the whole file: each tab of a test costs as much as a loop. */
let known: Stored | null = null

/** A browser context that has been signed in before. */
export async function welcome(look: Look = {}): Promise<BrowserContext> {
  if (known === null) {
    const first = await signedIn()
    known = await first.storageState()
    await first.close()
  }
  return newBrowser(look, known)
}

export async function openPage(path: string, look: Look = {}): Promise<Page> {
  const context = await welcome(look)
  const page = await context.newPage()
  await page.goto(path)
  return page
}

/** Runs in the page: writes each violation of the policy to the console, which the test reads. */
const tellsBreaches = `document.addEventListener('securitypolicyviolation', event =>
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`

/** Only messages that a browser prints when loopd is killed. */
const harmless = /net::ERR_|Failed to load resource|status of 4\d\d/

function isOfOthers(url: string): boolean {
  return web.others.some(origin => url.startsWith(`${origin}/`))
}

function watchPage(page: Page): void {
  page.on('pageerror', error => web.complaints.push(`${page.url()}: ${error.stack ?? error.message}`))
  page.on('console', message => {
    if (message.type() !== 'error' || harmless.test(message.text())) return
    if (isOfOthers(page.url())) return
    web.complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on('request', request => {
    const url = request.url()
    if (isOfOthers(url)) return
    if (!url.startsWith(web.origin) && !url.startsWith('data:')) web.complaints.push(`asks elsewhere: ${url}`)
  })
  page.addInitScript(tellsBreaches).catch(() => undefined)
}

const axeSource = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; help: string; nodes: { html: string; failureSummary: string }[] }

/** Rules of axe whose answer depends on colours: a theme changes nothing else of a page. */
const colourRules = ['color-contrast', 'link-in-text-block']

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']

/** The findings of axe on the page, by the rules of WCAG 2 A and AA, or by those about colours: one line each. */
export async function violations(
  page: Page,
  asked: 'every rule' | 'colours' = 'every rule',
): Promise<string[]> {
  // `evaluate` bypasses the policy of the page, which would refuse an injected script.
  if (!(await page.evaluate(`typeof axe === 'object'`))) await page.evaluate(axeSource)
  const runOnly = asked === 'colours' ? { type: 'rule', values: colourRules } : everyRule
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] })
  const found = await page.evaluate(`axe.run(document, ${options}).then(({ violations }) => violations)`)
  return (found as Violation[]).flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)}: ${failureSummary.slice(0, 200)}`,
    ),
  )
}

/** An agent that works when the test lets it: it waits for a file with the number of its run. */
export function steeredAgent(work: string): string {
  return `n=$(($(cat "$ASIDE/n" 2>/dev/null || echo 0)+1)); echo $n > "$ASIDE/n"; echo "turn $n begins"; while [ ! -f "$ASIDE/turn-$n" ]; do sleep 0.05; done; ${work}; echo "turn $n ends"`
}
