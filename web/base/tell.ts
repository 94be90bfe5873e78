/** Shows a notification of the browser when a loop needs a person or has ended, if the person has turned that on. */
import { cell } from './cell.ts'
import { listing } from './list.ts'
import { say } from './toast.ts'

const key = 'loop-tell'

export const isTelling = cell(mayTell() && window.localStorage.getItem(key) === 'yes')

function mayTell(): boolean {
  return 'Notification' in window && Notification.permission === 'granted'
}

export async function toggleTelling(): Promise<void> {
  if (isTelling.get()) {
    isTelling.set(false)
    window.localStorage.removeItem(key)
    return
  }
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') {
    say({
      tone: 'bad',
      text: 'The browser does not allow notifications for this page. Its settings for this site say so.',
    })
    return
  }
  window.localStorage.setItem(key, 'yes')
  isTelling.set(true)
}

/** The state of each loop at the last notification. */
let known: Map<string, string> | null = null

listing.watch(() => {
  const { rows, isLoaded } = listing.get()
  if (!isLoaded) return
  const before = known
  known = new Map(Array.from(rows, ([id, { section }]) => [id, section]))
  if (!before || !isTelling.get() || !document.hidden) return
  for (const { id, section, prompt, status, reason } of rows.values()) {
    const was = before.get(id)
    if (was === section || (section !== 'attention' && section !== 'done')) continue
    const told =
      was !== undefined && new Notification(`${status}: ${prompt.slice(0, 80)}`, { body: reason, tag: id })
    if (told) told.addEventListener('click', () => window.focus())
  }
})
