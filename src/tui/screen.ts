/**
 * A screen that takes the whole terminal: the alternate buffer, raw keys, and frames (views/screen/frame). The terminal gets
 * its previous state back however the program leaves: at its end, by a signal, by Ctrl-Z, by an exception.
 */
import { emitKeypressEvents, type Interface } from 'node:readline'
import { isInForeground } from '../cli/foreground/keys.ts'
import { drawRows, onResize, screenSize, switchScreen } from '../cli/terminal.ts'
import { changedRows, type ScreenFrame, type Size } from '../views/screen/frame.ts'

type Painter = {
  /** Something may have changed: draw a frame soon. */
  refresh(): void
  /** The terminal no longer shows our frame: draw the next one whole. */
  forget(): void
  rest(): void
}

const frameMs = 50

/** `gone` is called when the terminal accepts no more text. */
function painterOf(frame: (size: Size) => ScreenFrame, gone: () => void): Painter {
  let before: ScreenFrame | null = null
  let drawnAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | null = null
  const draw = () => {
    timer = null
    drawnAt = performance.now()
    const next = frame(screenSize())
    const rows = changedRows(before, next)
    const isSame = rows.length === 0 && isSamePlace(before?.cursor, next.cursor)
    before = next
    if (!isSame && !drawRows(rows, next.cursor)) gone()
  }
  return {
    refresh() {
      timer ??= setTimeout(draw, Math.max(0, drawnAt + frameMs - performance.now()))
    },
    forget() {
      before = null
    },
    rest() {
      if (timer) clearTimeout(timer)
      timer = null
    },
  }
}

function isSamePlace(a: ScreenFrame['cursor'] | undefined, b: ScreenFrame['cursor']): boolean {
  return a?.row === b?.row && a?.column === b?.column
}

/**
 * A key by its name (`up`, `pageup`, `return`, `escape`) or by its character. `pasted`: the character was pasted, not
 * pressed.
 */
export type KeyPress = { name: string; text: string; ctrl: boolean; pasted: boolean }

export type Screen = {
  refresh(): void
  /** Gives the terminal back, runs `work`, and takes the terminal again. */
  aside(work: () => Promise<void> | void): Promise<void>
  /** Resolves when the screen is closed. */
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
  // After a stop, the shell has set the terminal for itself: take it again from the beginning.
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
  // Also after an uncaught exception.
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

/** Takes the terminal, and gives it back as it was found. */
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
    // A background process that sets the terminal's mode would be stopped by the kernel.
    if (isTaken || !isInForeground()) return
    isTaken = true
    stdin.setRawMode(true)
    stdin.on('keypress', onKey)
    stdin.resume()
    switchScreen('open')
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
    switchScreen('close')
  }
  const stop = () => {
    giveBack()
    // To the whole process group, as the terminal driver does.
    process.kill(0, 'SIGTSTP')
    // The signal does nothing if no shell could continue this process; then take the terminal again.
    setTimeout(take, 50).unref()
  }
  // Without this timeout, Escape alone is reported only after half a second. Only this field of the interface is read.
  emitKeypressEvents(stdin, { escapeCodeTimeout: 50 } as unknown as Interface)
  return { take, giveBack, isTaken: () => isTaken }
}
