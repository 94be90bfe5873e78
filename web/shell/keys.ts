/**
 * Keyboard shortcuts. A page adds its own while it is shown. None acts while somebody types into a field or a dialog is
 * open.
 */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { goTo } from '../base/router.ts'

type Key = { key: string; words: string; run(): void }

/** The shortcuts of the current page, newest first. */
const added: Key[][] = []

export const everywhere: readonly Omit<Key, 'run'>[] = [
  { key: 'Ctrl K', words: 'search and commands' },
  { key: '?', words: 'these keys' },
  { key: 'g l', words: 'go to the loops' },
  { key: 'g s', words: 'go to the start form' },
  { key: 'g r', words: 'go to the report' },
  { key: 'g m', words: 'go to the machine' },
]

const places: Record<string, string> = { l: '/', s: '/start', r: '/report', m: '/machine' }

/** The shortcuts of the page as it is now. */
export function keysHere(): Key[] {
  return added.flat()
}

/** Adds shortcuts while the component is shown. */
export function usePageKeys(keys: Key[]): void {
  const mine = useRef<Key[]>([])
  mine.current.splice(0, mine.current.length, ...keys)
  // What is drawn can be used: keys are heard from the first frame on.
  useLayoutEffect(() => {
    added.unshift(mine.current)
    return () => {
      added.splice(added.indexOf(mine.current), 1)
    }
  }, [])
}

export function useKeys(open: { palette(): void; keys(): void }): void {
  useLayoutEffect(() => {
    let isGoing = false
    const pressed = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault()
        open.palette()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const to = isGoing ? places[event.key] : undefined
      isGoing = event.key === 'g'
      const found = to === undefined ? keysHere().find(({ key }) => key === event.key) : undefined
      if (to === undefined && !found && event.key !== '?') return
      event.preventDefault()
      if (to !== undefined) goTo(to)
      else if (found) found.run()
      else open.keys()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]')) return true
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}
