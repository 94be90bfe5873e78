/** The dialog in the last rows of a screen: a line to type, a choice by one key, or the help. */

import { textWidth } from '../views/layout/width.ts'
import type { ScreenQuestion } from '../views/screen/frame.ts'
import type { Look } from '../views/screen/look.ts'
import { ink } from '../views/screen/look.ts'
import { type TypedLine, typed } from './editor.ts'
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
