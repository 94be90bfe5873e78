/** The contract between the program behind a screen and the view that it shows. */

import type { Secret } from '../secrets/redact.ts'
import type { Store } from '../store/contract.ts'
import type { ScreenFrame, Size } from '../views/screen/frame.ts'
import type { Look } from '../views/screen/look.ts'
import type { ScreenDialog } from './dialog.ts'
import type { KeyPress } from './screen.ts'

export type ScreenView = {
  /** Reads what is new in the store. True if anything visible changed. */
  look(store: Store): boolean
  frame(size: Size, about: About): ScreenFrame
  key(key: KeyPress): void
  /** The lines that stay on the terminal after the screen is closed. */
  farewell(): string[]
  close(): void
}

/** What the program adds to every view: a dialog or a message, and why the screen may be out of date. */
export type About = {
  look: Look
  now: number
  dialog: ScreenDialog | null
  message: string
  stale: string | null
}

export type CommandEnd = { ok: boolean; text: string }

export type Shell = {
  look: Look
  /** Removed from all text before it is shown. */
  secrets: readonly Secret[]
  now(): number
  refresh(): void
  ask(dialog: ScreenDialog): void
  say(message: string): void
  /** Runs a command of loop, and shows its output as a message. */
  run(...args: string[]): void
  /**
   * Shows the view of another loop or group until the person leaves it. `key` is pressed there after its first read.
   */
  enter(id: string, key?: string): void
  leave(): void
  /** Prints these lines outside of the screen; any key brings the screen back. */
  aside(lines: Iterable<string>): void
}

type Moves = { by(rows: number): () => void; page(pages: number): () => void }

const most = 1_000

/** The keys that move a selection, the same on every screen with a list. */
export function moveKeys({ by, page }: Moves): Record<string, () => void> {
  const [down, up, first, last, pageDown] = [by(1), by(-1), by(-most), by(most), page(1)]
  return {
    down,
    j: down,
    up,
    k: up,
    home: first,
    g: first,
    end: last,
    G: last,
    pagedown: pageDown,
    ' ': pageDown,
    pageup: page(-1),
  }
}
