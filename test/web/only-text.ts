/** Hostile text on a page: none of it became markup, ran, or hides or reorders text that a person reads. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Would set a mark on the page if any part of it became markup. */
export const markup = `<img src=x onerror="window.isOwned=1"><script>window.isOwned=1</script>`

/** Runs in the page: returns each text and attribute with an invisible character, spelled out. */
const hidden = `(() => {
  const unseen = /[^\\P{Cc}\\n\\t]|[\\p{Cf}\\p{Zl}\\p{Zp}]/u
  const found = []
  const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ALL)
  const look = (where, text) => unseen.test(text) && found.push(where + ': ' + JSON.stringify(text.slice(0, 200)))
  for (let node = walk.currentNode; node; node = walk.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) look(node.parentElement?.className ?? '', node.data)
    for (const { name, value } of node.attributes ?? [])
      if (name === 'title' || name.startsWith('aria-')) look(name, value)
  }
  return found
})()`

export async function assertOnlyText(page: Page): Promise<void> {
  assert.equal(await page.evaluate('window.isOwned'), undefined, `${page.url()}: something ran`)
  assert.equal(await page.locator('#root img, #root script').count(), 0, `${page.url()}: markup`)
  assert.deepEqual(await page.evaluate(hidden), [], page.url())
}
