/**
 * A pseudo-terminal with a real terminal emulator behind it (@xterm/headless): its screen, its scrollback, keys and
 * sizes.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import xterm from '@xterm/headless'
import { loopProgram, patienceMs, type Rig, root } from './rig.ts'

export type Pty = {
  /** The rows of the screen. */
  rows(): string[]
  text(): string
  /** Waits until the screen has this text; the message of a failure shows the screen instead. */
  shows(what: string | RegExp): Promise<void>
  /** Everything above the screen in the normal buffer, and the screen. */
  all(): string[]
  /** Which buffer is shown: that of a full screen, or the ordinary one. */
  buffer(): 'alternate' | 'normal'
  cursor(): { row: number; column: number; isShown: boolean }
  type(text: string): void
  resize(columns: number, rows: number): void
  /** One size after the other, so quickly that the program may only see the last. */
  resizeAll(sizes: readonly (readonly [columns: number, rows: number])[]): void
  /** Every byte that was sent to the terminal. */
  sent(): Buffer
  pid(): number
  /** The exit code. A program that does not end in time, such as one that asks something, is a failure with its screen. */
  readonly ended: Promise<number | null>
}

export type PtyWish = {
  rig: Rig
  columns?: number
  rows?: number
  env?: NodeJS.ProcessEnv
  program?: string[]
  /** How long a test waits for a text, or for the end. */
  limitMs?: number
}

export const keys = {
  up: '\u001B[A',
  down: '\u001B[B',
  right: '\u001B[C',
  left: '\u001B[D',
  pageUp: '\u001B[5~',
  pageDown: '\u001B[6~',
  home: '\u001B[H',
  end: '\u001B[F',
  enter: '\r',
  escape: '\u001B',
  tab: '\t',
  ctrlC: '\u0003',
  ctrlZ: '\u001A',
}

export function ptyOf(t: Pick<TestContext, 'after'>, wish: PtyWish, args: string[]): Pty {
  const { rig, columns = 80, rows = 24, env = {}, program = [loopProgram], limitMs = patienceMs } = wish
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true })
  const sent: Buffer[] = []
  const child = spawn(
    'python3',
    [join(root, 'test/rig/in-pty.py'), String(columns), String(rows), ...program, ...args],
    {
      cwd: rig.tree,
      // Python would turn the locale C into UTF-8, for the program too.
      env: { ...rig.env, PYTHONCOERCECLOCALE: '0', TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
      stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    },
  )
  const { stdin, stdout } = child
  if (!stdin || !stdout) throw new Error('no pipes')
  const sizes = child.stdio[3] as Writable
  for (const stream of [stdin, sizes]) stream.on('error', () => {})
  stdout.on('data', (data: Buffer) => {
    sent.push(data)
    terminal.write(data)
  })
  let isCursorShown = true
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, params => {
    if (params.includes(25)) isCursorShown = true
    return false
  })
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, params => {
    if (params.includes(25)) isCursorShown = false
    return false
  })
  let end: { code: number | null } | null = null
  child.once('close', code =>
    terminal.write('', () => {
      end = { code }
    }),
  )
  t.after(() => void child.kill('SIGKILL'))
  // Text beyond the right edge of a narrowed terminal is kept but not visible.
  const line = (row: number) =>
    (terminal.buffer.active.getLine(row)?.translateToString(true, 0, terminal.cols) ?? '').trimEnd()
  const screen = () =>
    Array.from({ length: terminal.rows }, (_, row) => line(terminal.buffer.active.baseY + row))
  const scrolled = () => Array.from({ length: terminal.buffer.active.length }, (_, row) => line(row))
  const resizeAll: Pty['resizeAll'] = all => {
    for (const [width, height] of all) terminal.resize(width, height)
    sizes.write(all.map(([width, height]) => `${width} ${height}\n`).join(''))
  }
  const text = () => screen().join('\n')
  const inTime = async <T>(what: string, look: () => T | null | false): Promise<T> => {
    const limit = AbortSignal.timeout(limitMs)
    for (;;) {
      const found = look()
      if (found) return found
      if (limit.aborted) throw new Error(`Waited ${limitMs} ms in vain for ${what}. ${standing()}`)
      await delay(5)
    }
  }
  const standing = () => {
    const shown = terminal.buffer.active.type === 'normal' ? scrolled().slice(-60) : screen()
    return `The terminal of ${[...program, ...args].join(' ')} shows:\n${shown.join('\n').trimEnd()}`
  }
  return {
    rows: screen,
    text,
    async shows(what) {
      const isThere = () => (typeof what === 'string' ? text().includes(what) : what.test(text()))
      await inTime(String(what), isThere)
    },
    all: scrolled,
    buffer: () => terminal.buffer.active.type,
    cursor: () => ({
      row: terminal.buffer.active.cursorY,
      column: terminal.buffer.active.cursorX,
      isShown: isCursorShown,
    }),
    type: typed => void stdin.write(typed),
    resize: (width, height) => resizeAll([[width, height]]),
    resizeAll,
    sent: () => Buffer.concat(sent),
    pid: () => child.pid ?? 0,
    get ended() {
      return inTime('its end', () => end).then(({ code }) => code)
    },
  }
}
