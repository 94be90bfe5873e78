/**
 * The dialog in the last rows of a screen: a line to type, a choice by one key, or the help. A line is its text and the position
 * of the cursor, after each key.
 */
import { textWidth } from '../views/layout/width.ts'
import type { ScreenQuestion } from '../views/screen/frame.ts'
import { ink, type Look } from '../views/screen/look.ts'
import type { KeyPress } from './screen.ts'

/** How far the rows of a question are scrolled: by rows, and by whole pages of the window. */
type Scrolled = { top: number; pages: number }

const unscrolled: Scrolled = { top: 0, pages: 0 }

/** The rows that explain the question. */
type Rows = Scrolled & { rows: string[] }

export type ScreenDialog =
  /** A line of text that the person types. Without `rows` the window keeps its own text. */
  | ({ kind: 'line'; label: string; line: TypedLine; done(text: string): void } & Rows)
  /** One of several keys, each with its word and its action. */
  | ({ kind: 'choice'; label: string; keys: DialogKey[] } & Rows)
  | ({ kind: 'help' } & Scrolled)

export type DialogKey = { key: string; word: string; act(): void }

/** `suggested`: a text that enter takes, and that typing replaces. */
type Line = { label: string; suggested?: string; rows?: string[] }

export function lineDialog(
  { label, suggested = '', rows = [] }: Line,
  done: (text: string) => void,
): ScreenDialog {
  const line = { text: suggested, at: suggested.length, isSuggested: suggested !== '' }
  return { kind: 'line', label, line, rows, ...unscrolled, done }
}

export function choiceDialog(label: string, rows: string[], keys: DialogKey[]): ScreenDialog {
  return { kind: 'choice', label, rows, ...unscrolled, keys }
}

export const helpDialog: ScreenDialog = { kind: 'help', ...unscrolled }

const scrolling: Record<string, Scrolled> = {
  up: { top: -1, pages: 0 },
  down: { top: 1, pages: 0 },
  pageup: { top: 0, pages: -1 },
  pagedown: { top: 0, pages: 1 },
}

/** The dialog after a key; null once it is closed. An accepted answer is carried out here, by `done` or `act`. */
export function dialogAfter(dialog: ScreenDialog, key: KeyPress): ScreenDialog | null {
  if (key.name === 'escape' || (key.ctrl && key.name === 'c')) return null
  const by = key.pasted || key.ctrl ? undefined : scrolling[key.name]
  if (by) return { ...dialog, ...scrolledBy(dialog, by) }
  switch (dialog.kind) {
    case 'help':
      return key.pasted ? dialog : null
    case 'choice': {
      const chosen = key.pasted ? undefined : dialog.keys.find(({ key: name }) => name === key.text)
      chosen?.act()
      return chosen ? null : dialog
    }
    case 'line': {
      if (!key.pasted && (key.name === 'return' || key.name === 'enter')) {
        if (dialog.line.text.trim() !== '') dialog.done(dialog.line.text.trim())
        return null
      }
      return { ...dialog, line: typed(dialog.line, key) ?? dialog.line }
    }
  }
}

function scrolledBy({ top, pages }: Scrolled, by: Scrolled): Scrolled {
  const page = Math.max(0, pages + by.pages)
  const row = top + by.top
  return { top: page === 0 ? Math.max(0, row) : row, pages: page }
}

/** The row above the keys while a dialog is open. A line that is too long is shown around its cursor. */
function dialogMessage(
  dialog: ScreenDialog,
  look: Look,
  width: number,
): { text: string; cursor: number | null } {
  if (dialog.kind === 'help') return { text: '', cursor: null }
  if (dialog.kind === 'choice') return { text: dialog.label, cursor: null }
  const { label, line } = dialog
  const before = `${label} `
  const room = Math.max(4, width - textWidth(before) - 2)
  const left = startOf(line, room)
  const at = textWidth(before) + textWidth(line.text.slice(left, line.at))
  const shown = line.text.slice(left)
  return {
    text: `${ink(look, 'bold', label)} ${line.isSuggested ? ink(look, 'dim', shown) : shown}`,
    cursor: at,
  }
}

function startOf({ text, at }: TypedLine, room: number): number {
  let left = 0
  while (textWidth(text.slice(left, at)) > room) left += 1
  return left
}

function dialogKeys(dialog: ScreenDialog): [string, string][] {
  if (dialog.kind === 'help') return [['any key', 'closes this']]
  if (dialog.kind === 'line')
    return [
      ['enter', 'sends it'],
      ['esc', 'leaves it'],
    ]
  return [...dialog.keys.map(({ key, word }): [string, string] => [key, word]), ['esc', 'leaves it']]
}

/** What a frame shows of a dialog: the rows for the window, the row above the keys, and the keys. */
export function asked(
  dialog: ScreenDialog,
  look: Look,
  { columns, help }: { columns: number; help: string[] },
): ScreenQuestion {
  const rows = dialog.kind === 'help' ? help : dialog.rows
  const message = dialogMessage(dialog, look, columns - 2)
  return { rows, top: dialog.top, pages: dialog.pages, message, keys: dialogKeys(dialog) }
}

/** `isSuggested`: nobody has typed the text. The first character or deletion replaces it; a move of the cursor keeps it. */
export type TypedLine = { text: string; at: number; isSuggested?: boolean }

export const emptyLine: TypedLine = { text: '', at: 0 }

const mostCharacters = 4_000
const segments = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The line after a key; null if the key edits nothing. Pasted newlines become spaces. */
export function typed(line: TypedLine, key: KeyPress): TypedLine | null {
  if (line.isSuggested && replaces(key)) return typed(emptyLine, key)
  const { text, at } = line
  if (key.pasted) return inserted(line, key.text.replaceAll(/[\r\n\t]+/g, ' '))
  const moves: Record<string, () => TypedLine> = {
    left: () => ({ text, at: previous(text, at) }),
    right: () => ({ text, at: next(text, at) }),
    home: () => ({ text, at: 0 }),
    end: () => ({ text, at: text.length }),
    backspace: () => removed(text, previous(text, at), at),
    delete: () => removed(text, at, next(text, at)),
  }
  const byCtrl: Record<string, () => TypedLine> = {
    a: () => ({ text, at: 0 }),
    e: () => ({ text, at: text.length }),
    b: () => ({ text, at: previous(text, at) }),
    f: () => ({ text, at: next(text, at) }),
    u: () => removed(text, 0, at),
    k: () => removed(text, at, text.length),
    w: () => removed(text, wordBefore(text, at), at),
    h: () => removed(text, previous(text, at), at),
  }
  const move = key.ctrl ? byCtrl[key.name] : moves[key.name]
  if (move) return move()
  return isText(key) ? inserted(line, key.text) : null
}

function replaces(key: KeyPress): boolean {
  const deletes = key.ctrl ? ['h', 'w', 'u', 'k'] : ['backspace', 'delete']
  return key.pasted || deletes.includes(key.name) || isText(key)
}

function isText({ ctrl, text }: KeyPress): boolean {
  return !ctrl && text >= ' ' && text !== '\u007F'
}

function inserted({ text, at }: TypedLine, more: string): TypedLine {
  const room = more.slice(0, Math.max(0, mostCharacters - text.length))
  return { text: text.slice(0, at) + room + text.slice(at), at: at + room.length }
}

function removed(text: string, from: number, to: number): TypedLine {
  return { text: text.slice(0, from) + text.slice(to), at: from }
}

function previous(text: string, at: number): number {
  let last = 0
  for (const { index } of segments.segment(text.slice(0, at))) last = index
  return last
}

function next(text: string, at: number): number {
  const [first] = segments.segment(text.slice(at))
  return at + (first?.segment.length ?? 0)
}

function wordBefore(text: string, at: number): number {
  return text.slice(0, at).replace(/\S+\s*$/, '').length
}
