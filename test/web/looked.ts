/**
 * Pages in dark and light: axe finds nothing, the expected words are there, and no page is wider than a phone. With LOOP_SCREENSHOTS=1 (`npm run
 * screenshots`) each page is also written to docs/screenshots.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { root } from '../rig/rig.ts'
import { violations, web } from './browser.ts'

export const pictures = join(root, 'docs', 'screenshots')
const isDrawing = process.env['LOOP_SCREENSHOTS'] === '1'

/** The findings of axe on the pages of the current test. */
const found: string[] = []

/** `ready`: words on the complete page; `act`: an action before that. */
export type Shown = { at: string; name: string; ready: string; act?: (page: Page) => Promise<unknown> }

export async function lookAt(context: BrowserContext, pages: readonly Shown[]): Promise<void> {
  const page = await context.newPage()
  for (const shown of pages) {
    await page.goto(shown.at)
    await shown.act?.(page)
    await judged(page, shown)
    await fitsPhone(page, shown)
  }
  await page.close()
  nothingFound()
}

/** Nothing of the page is wider than a phone. */
async function fitsPhone(page: Page, { name }: Shown): Promise<void> {
  const size = page.viewportSize()
  assert.ok(size)
  await page.setViewportSize({ width: 390, height: 844 })
  const wide = Number(await page.evaluate('document.documentElement.scrollWidth'))
  if (wide > 390) found.push(`${name} is ${wide} wide on a phone`)
  await page.setViewportSize(size)
}

export async function judged(page: Page, { name, ready }: Pick<Shown, 'name' | 'ready'>): Promise<void> {
  await page.getByText(ready).first().waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const asked = colorScheme === 'light' ? 'every rule' : 'colours'
    for (const violation of await violations(page, asked)) found.push(`${name}, ${colorScheme}: ${violation}`)
    if (!isDrawing) continue
    mkdirSync(pictures, { recursive: true })
    await draw(page, `${name}-${colorScheme}.webp`)
  }
}

/**
 * Written as WebP, which needs two thirds of the bytes of a JPEG. No picture shows a path of the machine it was made
 * on.
 */
async function draw(page: Page, file: string): Promise<void> {
  const isLive = page.locator('[data-link=live]')
  await isLive.waitFor({ timeout: 3_000 }).catch(() => undefined)
  await page.evaluate(hidesPlaces())
  const client = await page.context().newCDPSession(page)
  const { data } = await client.send('Page.captureScreenshot', { format: 'webp', quality: 40 })
  await client.detach()
  writeFileSync(join(pictures, file), Buffer.from(data, 'base64'))
}

export function nothingFound(): void {
  assert.deepEqual(found.splice(0), [])
}

/** A script for the page that replaces paths of this machine. */
function hidesPlaces(): string {
  const home = web.rig.env['HOME'] ?? ''
  const places = {
    [root.replace(/\/$/, '')]: '/opt/loop',
    [web.rig.tree]: '/home/you/shop',
    [web.rig.aside]: '/home/you',
    [home]: '/home/you',
    [dirname(home)]: '/run/user/1000',
  }
  return `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const places = Object.entries(${JSON.stringify(places)})
  const named = text => places.reduce((now, [real, shown]) => now.replaceAll(real, shown), text)
  while (texts.nextNode()) texts.currentNode.data = named(texts.currentNode.data)
  for (const field of document.querySelectorAll('input, textarea')) field.value = named(field.value)
})()`
}
