/** What the program behind a screen asks of the view it shows, and what a view may ask of it. */
import type { Store } from '../store/contract.ts'
import type { ScreenFrame, Size } from '../views/screen/frame.ts'
import type { Look } from '../views/screen/look.ts'
import type { Secret } from '../views/secrets/redact.ts'
import type { ScreenDialog } from './dialog.ts'
import type { KeyPress } from './screen.ts'

export type ScreenView = {
  /** Reads what is new. Whether anything has changed that is shown. */
  look(store: Store): boolean
  frame(size: Size, about: About): ScreenFrame
  key(key: KeyPress): void
  /** What stays on the terminal when it is closed. */
  farewell(): string[]
  close(): void
}

/** What the program adds to every view: a question or a message, and whether what is shown may be old. */
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
  /** Taken out of everything before it is shown. */
  secrets: readonly Secret[]
  now(): number
  refresh(): void
  ask(dialog: ScreenDialog): void
  say(message: string): void
  /** Runs a command of loop, and says what it said. */
  run(...args: string[]): void
  /** Shows another view until it is left; `key` is pressed in it as soon as it knows its loop. */
  enter(id: string, key?: string): void
  leave(): void
  /** Prints these lines outside of the screen, and comes back at a key. */
  aside(lines: Iterable<string>): void
}
