/**
 * The screen of a program that takes the whole terminal: a buffer of its own, raw keys, frames (tui/painter). The terminal
 * gets its own state back on every way out: the end, a signal, Ctrl-Z, an exception.
 */
import { emitKeypressEvents, type Interface } from 'node:readline'
import { isInForeground } from '../cli/foreground/keys.ts'
import { onResize, switchScreen } from '../cli/terminal.ts'
import type { ScreenFrame, Size } from '../views/screen/frame.ts'
import { painterOf } from './painter.ts'

/** A key by its name (`up`, `pageup`, `return`, `escape`) or the character it writes. `pasted`: nobody pressed it. */
export type KeyPress = { name: string; text: string; ctrl: boolean; pasted: boolean }

export type Screen = {
  refresh(): void
  /** Gives the terminal back, runs this, and takes it again. */
  aside(work: () => Promise<void> | void): Promise<void>
  /** Resolves when it is closed. */
  closed: Promise<void>
  close(): void
}

type Made = { frame(size: Size): ScreenFrame; key(key: KeyPress): void }

const endSignals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

export function openScreen({ frame, key }: Made): Screen {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const painter = painterOf(frame, () => close())
  const mode = terminalMode({
    taken() {
      painter.forget()
      painter.refresh()
    },
    given: painter.rest,
    key(pressed) {
      key(pressed)
      refresh()
    },
  })
  const refresh = () => {
    if (mode.isTaken()) painter.refresh()
  }
  const forgetResize = onResize(() => {
    painter.forget()
    refresh()
  })
  // A shell that takes the program up again has set the terminal for itself in between.
  const onContinue = () => {
    if (isInForeground()) mode.giveBack()
    mode.take()
  }
  const close = () => {
    mode.giveBack()
    forgetResize()
    process.off('SIGCONT', onContinue)
    process.off('exit', mode.giveBack)
    for (const signal of endSignals) process.off(signal, close)
    resolve()
  }
  process.on('SIGCONT', onContinue)
  // An exception that nobody caught ends the program here too.
  process.on('exit', mode.giveBack)
  for (const signal of endSignals) process.on(signal, close)
  mode.take()
  return {
    refresh,
    closed,
    close,
    async aside(work) {
      mode.giveBack()
      try {
        await work()
      } finally {
        mode.take()
      }
    },
  }
}

type Heard = { taken(): void; given(): void; key(key: KeyPress): void }

/** The terminal is ours, or it is as we found it. */
function terminalMode({ taken, given, key }: Heard) {
  const { stdin } = process
  let isTaken = false
  let isPasting = false
  const onKey = (text: string | undefined, about: { name?: string; ctrl?: boolean }) => {
    const { name = '', ctrl = false } = about
    if (name === 'paste-start' || name === 'paste-end') isPasting = name === 'paste-start'
    else if (ctrl && name === 'z' && !isPasting) stop()
    else key({ name: name || (text ?? ''), text: text ?? '', ctrl, pasted: isPasting })
  }
  const take = () => {
    // Setting the mode of a terminal that is another program's now would stop this one.
    if (isTaken || !isInForeground()) return
    isTaken = true
    stdin.setRawMode(true)
    stdin.on('keypress', onKey)
    stdin.resume()
    switchScreen('open screen')
    taken()
  }
  const giveBack = () => {
    if (!isTaken) return
    isTaken = false
    isPasting = false
    given()
    stdin.off('keypress', onKey)
    stdin.setRawMode(false)
    stdin.pause()
    switchScreen('close screen')
  }
  const stop = () => {
    giveBack()
    // To the whole group, as the terminal would.
    process.kill(0, 'SIGTSTP')
    // Where nobody could take it up again, the signal does nothing.
    setTimeout(take, 50).unref()
  }
  // Else half a second passes until Escape alone is known for that; of an interface nothing else is asked.
  emitKeypressEvents(stdin, { escapeCodeTimeout: 50 } as unknown as Interface)
  return { take, giveBack, isTaken: () => isTaken }
}
