/**
 * The page, measured in Chromium against a real loopd with 2 000 loops, 20 of them at work: how much its first load
 * weighs, when the list can be used, and the frames and the memory while a log of 200 000 lines is scrolled. The bars
 * stand beside each figure.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type CDPSession, chromium, type Page } from 'playwright-core'
import { makeDaemonRig } from '../test/rig/daemon.ts'
import { freePort } from '../test/rig/port.ts'
import { chromiumProgram, chromiumSwitches } from '../test/web/browser.ts'
import { queueMany } from './many-loops.ts'
import { ms, printTable } from './measure.ts'

const loops = 2_000
const live = 20
/** Without a frame rate: each frame follows the last one at once, so its time is the time of the work. */
const unbound = ['--disable-frame-rate-limit', '--disable-gpu-vsync']
const lines = 200_000

export async function web(): Promise<void> {
  if (chromiumProgram === undefined) throw new Error('There is no Chromium: install it, or set LOOP_CHROMIUM')
  const cleanups: (() => void | Promise<void>)[] = []
  const rig = makeDaemonRig({ after: work => void cleanups.push(work as () => void) })
  const browser = await chromium.launch({
    executablePath: chromiumProgram,
    args: [...chromiumSwitches, ...unbound],
  })
  try {
    const port = await freePort()
    await rig.loop(['config', 'set', 'web_ui_port', String(port)])
    await rig.loop(['config', 'set', 'max_concurrent_loops', String(live)])
    const aside = join(rig.aside, 'many')
    mkdirSync(aside)
    spawnSync('mkfifo', [join(aside, 'gate')])
    await rig.startDaemon()
    const log = await rig.background(
      `seq -f 'line %.0f: what an agent says while it works' ${lines}; touch done`,
      'test -f done',
    )
    await rig.reaches(log, 'completed')
    queueMany({ ...rig.env, ASIDE: aside }, loops)
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    await page.goto((await rig.loop(['ui', '--print'])).stdout.trim())
    await page.locator('[data-link=live]').waitFor({ state: 'attached' })
    const origin = `http://127.0.0.1:${port}`
    printTable([
      ...(await firstLoad(page, origin)),
      ...(await scrolling(page, `${origin}/app/loops/${log}/log`)),
    ])
  } finally {
    await browser.close()
    for (const clean of cleanups) await clean()
  }
}

type Row = { what: string; measured: string; bar: string }

async function firstLoad(page: Page, origin: string): Promise<Row[]> {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  // The bar is a size in gzip; Chromium would ask for brotli.
  await client.send('Network.setExtraHTTPHeaders', { headers: { 'accept-encoding': 'gzip' } })
  let bytes = 0
  const files = new Set<string>()
  client.on('Network.responseReceived', ({ requestId, response }) => {
    if (!response.url.includes('/v1/')) files.add(requestId)
  })
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (files.has(requestId)) bytes += encodedDataLength
  })
  await page.goto(`${origin}/`)
  const shownAt = await page.evaluate(`new Promise(seen => {
    const look = () => document.querySelectorAll('.loop-row').length > 5 ? seen(performance.now()) : requestAnimationFrame(look)
    look()
  })`)
  const wholeAt = await page.evaluate(`new Promise(seen => {
    const look = () => document.body.textContent.includes('All ${loops + 1}') && document.querySelectorAll('.loop-row').length > 5
      ? seen(performance.now()) : requestAnimationFrame(look)
    look()
  })`)
  await client.detach()
  return [
    { what: 'first load, gzip', measured: `${(bytes / 1_000).toFixed(1)} kB`, bar: '180 kB' },
    { what: `list of ${loops} loops, ${live} live: usable`, measured: ms(Number(shownAt)), bar: '1000 ms' },
    { what: 'the same: all rows counted', measured: ms(Number(wholeAt)), bar: '–' },
  ]
}

async function scrolling(page: Page, url: string): Promise<Row[]> {
  await page.goto(url)
  await page.getByText(`line ${lines}:`).first().waitFor()
  const client = await page.context().newCDPSession(page)
  // CPU time of the thread: the load of other processes is not in it.
  await client.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' })
  await client.send('Performance.enable')
  const before = await workOf(client)
  // From the end to the beginning and back, a screen or more at each frame.
  const frames = (await page.evaluate(`new Promise(done => {
    const log = document.querySelector('.log-window')
    const times = []
    let last = performance.now()
    let n = 0
    const step = () => {
      const now = performance.now()
      times.push(now - last)
      last = now
      n += 1
      log.scrollTop = n < 300 ? log.scrollHeight * (1 - n / 300) : log.scrollHeight * ((n - 300) / 300)
      if (n < 600) requestAnimationFrame(step)
      else done(times.slice(1))
    }
    requestAnimationFrame(step)
  })`)) as number[]
  const sorted = frames.toSorted((a, b) => a - b)
  const at = (part: number) => ms(sorted[Math.floor(sorted.length * part)] ?? 0)
  const work = (await workOf(client)) - before
  await client.send('HeapProfiler.collectGarbage')
  const heap = Number(await page.evaluate('performance.memory.usedJSHeapSize'))
  return [
    { what: `scrolling ${lines} lines: frame, median`, measured: at(0.5), bar: '–' },
    { what: 'the same: p95', measured: at(0.95), bar: '16.7 ms' },
    { what: 'the same: longest', measured: ms(sorted.at(-1) ?? 0), bar: '–' },
    {
      what: 'the same: work of the main thread a frame, mean',
      measured: ms(work / frames.length),
      bar: '16.7 ms',
    },
    { what: 'heap afterwards', measured: `${(heap / 1_000_000).toFixed(1)} MB`, bar: '80 MB' },
  ]
}

/** The CPU time of the main thread of the page so far, in ms. Unlike a frame, it never waits for the screen. */
async function workOf(client: CDPSession): Promise<number> {
  const { metrics } = await client.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
}
