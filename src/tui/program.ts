/**
 * The program behind a full screen: it shows the view on top of the stack, passes keys to that view, and runs the
 * commands that the view asks for.
 *
 * The store is read directly, without loopd: after every change, and at least ten times a second, since output files change without it. If the
 * store cannot be read (it is being replaced, the disk is away), the screen says so and the store is opened again every
 * second.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { out } from '../cli/terminal.ts'
import { type Feed, feedOf } from '../engine/feed.ts'
import { failureWords } from '../failures/words.ts'
import type { Result } from '../model/failure.ts'
import type { Secret } from '../secrets/redact.ts'
import type { Store } from '../store/contract.ts'
import type { Look } from '../views/screen/look.ts'
import { screenSays } from '../views/screen/messages.ts'
import { dialogAfter, helpDialog, type ScreenDialog } from './dialog.ts'
import { type KeyPress, openScreen, type Screen } from './screen.ts'
import type { CommandEnd, ScreenView, Shell } from './view.ts'

export type ScreenProgram = {
  look: Look
  secrets: readonly Secret[]
  now(): number
  /** Opens the current store; null if there is no store yet. */
  open(): Result<Store | null>
  /** Runs a command of loop to its end. */
  command(args: string[]): Promise<CommandEnd>
  /** `first` makes the first view; `enter` makes the view of a loop or group that the person opens. */
  first(shell: Shell): ScreenView
  enter(id: string, shell: Shell): ScreenView
}

type Standing = {
  screen: Screen | null
  views: ScreenView[]
  dialog: ScreenDialog | null
  /** A key for the view that was entered last. It is pressed after the first read of that view. */
  keyWaiting: string | null
  message: { text: string; at: number }
  stale: string | null
  /** Reads the store now. */
  wake(): void
}

/** Running times are shown in seconds. */
const beatMs = 1_000
const messageMs = 8_000

/** Runs the screen until the person quits. Returns the lines that stay on the terminal. */
export async function runScreen(program: ScreenProgram): Promise<string[]> {
  const { now, look } = program
  const at: Standing = {
    screen: null,
    views: [],
    dialog: null,
    keyWaiting: null,
    message: { text: '', at: 0 },
    stale: null,
    wake() {},
  }
  const shell = shellOf(program, at)
  at.views.push(program.first(shell))
  const followed = followStore(program.open, {
    look: store => looked(at, store),
    changed: () => at.screen?.refresh(),
    stale(why) {
      at.stale = why
      at.screen?.refresh()
    },
  })
  at.wake = followed.wake
  await followed.ready
  const screen = openScreen({
    key: key => pressed(at, shell, key),
    frame(size) {
      const message = now() - at.message.at < messageMs ? at.message.text : ''
      const about = { look, now: now(), dialog: at.dialog, message, stale: at.stale }
      return at.views.at(-1)?.frame(size, about) ?? { rows: [], cursor: null }
    },
  })
  at.screen = screen
  const beat = setInterval(screen.refresh, beatMs)
  await screen.closed
  clearInterval(beat)
  await followed.stop()
  const words = at.views.at(-1)?.farewell() ?? []
  for (const view of at.views) view.close()
  return words
}

function looked(at: Standing, store: Store): boolean {
  const view = at.views.at(-1)
  const isNews = view?.look(store) ?? false
  const { keyWaiting: text } = at
  at.keyWaiting = null
  if (text !== null) view?.key({ name: text, text, ctrl: false, pasted: false })
  return isNews || text !== null
}

function shellOf(program: ScreenProgram, at: Standing): Shell {
  const { look, secrets, now } = program
  const refresh = () => {
    at.wake()
    at.screen?.refresh()
  }
  const say = (text: string) => {
    at.message = { text, at: now() }
    at.screen?.refresh()
  }
  const shell: Shell = {
    look,
    secrets,
    now,
    refresh,
    say,
    ask(dialog) {
      at.dialog = dialog
      at.screen?.refresh()
    },
    run(...args) {
      say(screenSays.running(args))
      program.command(args).then(
        ({ text }) => {
          say(text)
          refresh()
        },
        (error: Error) => say(error.message),
      )
    },
    enter(id, key) {
      at.views.push(program.enter(id, shell))
      at.keyWaiting = key ?? null
      refresh()
    },
    leave() {
      if (at.views.length > 1) at.views.pop()?.close()
      refresh()
    },
    aside(lines) {
      at.screen?.aside(() => printAside(lines)).catch((error: Error) => say(error.message))
    },
  }
  return shell
}

function pressed(at: Standing, shell: Shell, key: KeyPress): void {
  if (at.dialog) {
    const before = at.dialog
    at.dialog = null
    const after = dialogAfter(before, key)
    // The action of the old dialog may have opened a new one.
    at.dialog ??= after
    return
  }
  if (key.pasted) return
  if (key.text === 'q' || (key.ctrl && key.name === 'c')) return at.screen?.close()
  if (key.text === '?') return shell.ask(helpDialog)
  if (key.name === 'escape') return shell.leave()
  at.views.at(-1)?.key(key)
  at.wake()
}

/** Prints ordinary text, so that the terminal's own scrolling and selection work; any key brings the screen back. */
async function printAside(lines: Iterable<string>): Promise<void> {
  for (const line of lines) if (!out(line)) return
  out(screenSays.aside)
  const { stdin } = process
  stdin.setRawMode(true)
  stdin.resume()
  await new Promise(resolve => stdin.once('data', resolve))
  stdin.setRawMode(false)
  stdin.pause()
}

type Following = {
  /** True if anything changed. May throw if the store is broken. */
  look(store: Store): boolean
  changed(): void
  /** Why the screen may be out of date; null as soon as it no longer is. */
  stale(why: string | null): void
}

type Open = { store: Store; feed: Feed }

const lookMs = 100
const againMs = 1_000

/** `ready` resolves after the first read. */
function followStore(
  open: () => Result<Store | null>,
  following: Following,
): { ready: Promise<void>; wake(): void; stop(): Promise<void> } {
  const end = new AbortController()
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  let wake = () => {}
  const woken = () =>
    new Promise<void>(awake => {
      wake = awake
    })
  const wait = async (opened: Open | null, version: string) => {
    const changed = opened
      ? opened.feed.changed(version, { signal: end.signal, withinMs: lookMs })
      : delay(lookMs, null, { signal: end.signal }).catch(() => null)
    await Promise.race([woken(), changed])
  }
  const over = reading({ open, following, wait, ready: resolve, signal: end.signal })
  return {
    ready,
    wake: () => wake(),
    async stop() {
      end.abort()
      wake()
      await over
    },
  }
}

type Reading = {
  open(): Result<Store | null>
  following: Following
  wait(opened: Open | null, version: string): Promise<void>
  ready(): void
  signal: AbortSignal
}

async function reading({ open, following, wait, ready, signal }: Reading): Promise<void> {
  let opened: Open | null = null
  let isStale = false
  while (!signal.aborted) {
    try {
      opened ??= openedBy(open)
      const version = opened?.feed.version() ?? ''
      const isNew = opened !== null && following.look(opened.store)
      if (isStale) following.stale(null)
      isStale = false
      if (isNew) following.changed()
      ready()
      await wait(opened, version)
    } catch (error) {
      isStale = true
      following.stale(screenSays.cannotRead((error as Error).message))
      ready()
      close(opened)
      opened = null
      await delay(againMs, null, { signal }).catch(() => null)
    }
  }
  close(opened)
}

function openedBy(open: Reading['open']): Open | null {
  const store = open()
  if (!store.ok) throw new Error(failureWords(store.failure))
  return store.value && { store: store.value, feed: feedOf(store.value) }
}

/** Closing a broken store can throw; its file is released when the program ends. */
function close(opened: Open | null): void {
  try {
    opened?.store.close()
  } catch {
    opened = null
  }
}
