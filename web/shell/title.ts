/** The title and the icon of the tab: the number of loops that need a person, and whether any runs. */
import { hostedBy, link } from '../base/feed.ts'
import { listing } from '../base/list.ts'

let place = 'Loops'

/** The subject of the current page. */
export function setTitle(words: string): void {
  place = words
  show()
}

export function showStateInTitle(): void {
  listing.watch(show)
  link.watch(show)
  hostedBy.watch(show)
  show()
}

let last = ''

function show(): void {
  let waiting = 0
  let running = 0
  for (const { section, status } of listing.get().rows.values()) {
    if (section === 'attention') waiting += 1
    else if (status === 'running') running += 1
  }
  const isLost = link.get() === 'lost' || link.get() === 'signed-out'
  const mark = isLost ? '⚠ ' : waiting > 0 ? `(${waiting}) ` : running > 0 ? '▸ ' : ''
  const title = `${mark}${place} · loop`
  if (document.title !== title) document.title = title
  const colour = isLost ? '%23888' : waiting > 0 ? '%23d98b00' : running > 0 ? '%235a52d5' : '%2312733d'
  const shape = waiting > 0 ? "<circle cx='12' cy='4' r='4' fill='%23d98b00'/>" : ''
  const icon = `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='M3.2 8a4.8 4.8 0 0 1 8.4-3.2L13 6.2M13 3v3.2H9.8M12.8 8a4.8 4.8 0 0 1-8.4 3.2L3 9.8M3 13V9.8h3.2' fill='none' stroke='${colour}' stroke-width='2' stroke-linecap='round'/>${shape}</svg>`
  if (icon === last) return
  last = icon
  document.querySelector<HTMLLinkElement>('link[rel=icon]')?.setAttribute('href', icon)
}
