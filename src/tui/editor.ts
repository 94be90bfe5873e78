/** A line that is being typed: its text and the position of the cursor, after each key. */
import type { KeyPress } from './screen.ts'

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
