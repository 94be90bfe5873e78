/**
 * A line of output with its colours. The server has removed every escape except colours. Each colour becomes the class
 * of the nearest of the sixteen names, so that it is readable in both themes. Text stays text.
 */
import type { JSX } from 'preact'

const sequence = /\u001B\[([\d;:]*)m/g

type Pen = { colour: number | null; isBold: boolean; isDim: boolean; isInverse: boolean }

const plain: Pen = { colour: null, isBold: false, isDim: false, isInverse: false }

/** `mark`: the searched text, in lower case. */
export function coloured(line: string, mark = ''): (JSX.Element | string)[] {
  if (!line.includes('\u001B')) return marked(line, mark, '')
  const parts: (JSX.Element | string)[] = []
  let pen = plain
  let at = 0
  for (const found of line.matchAll(sequence)) {
    if (found.index > at) parts.push(...marked(line.slice(at, found.index), mark, classOf(pen)))
    pen = after(pen, found[1] ?? '')
    at = found.index + found[0].length
  }
  if (at < line.length) parts.push(...marked(line.slice(at), mark, classOf(pen)))
  return parts
}

function marked(text: string, mark: string, names: string): (JSX.Element | string)[] {
  if (mark === '') return [names === '' ? text : <span class={names}>{text}</span>]
  const parts: (JSX.Element | string)[] = []
  const low = text.toLowerCase()
  let at = 0
  for (let hit = low.indexOf(mark); hit !== -1; hit = low.indexOf(mark, at)) {
    if (hit > at) parts.push(text.slice(at, hit))
    parts.push(<mark>{text.slice(hit, hit + mark.length)}</mark>)
    at = hit + mark.length
  }
  parts.push(text.slice(at))
  return names === '' ? parts : [<span class={names}>{parts}</span>]
}

function classOf({ colour, isBold, isDim, isInverse }: Pen): string {
  const names = [
    colour === null ? '' : `sgr-${colour}`,
    isBold ? 'sgr-bold' : '',
    isDim ? 'sgr-dim' : '',
    isInverse ? 'sgr-inverse' : '',
  ]
  return names.filter(name => name !== '').join(' ')
}

function after(before: Pen, text: string): Pen {
  const codes = text.split(/[;:]/).map(code => Number(code === '' ? 0 : code))
  let pen = before
  for (let i = 0; i < codes.length; i += 1) {
    const code = codes[i] ?? 0
    if (code === 38 || code === 48) {
      const [colour, many] = extended(codes.slice(i + 1))
      if (code === 38) pen = { ...pen, colour }
      i += many
    } else pen = simple(pen, code)
  }
  return pen
}

function simple(pen: Pen, code: number): Pen {
  if (code === 0) return plain
  if (code === 1) return { ...pen, isBold: true }
  if (code === 2) return { ...pen, isDim: true }
  if (code === 7) return { ...pen, isInverse: true }
  if (code === 22) return { ...pen, isBold: false, isDim: false }
  if (code === 27) return { ...pen, isInverse: false }
  if (code >= 30 && code <= 37) return { ...pen, colour: code - 30 }
  if (code >= 90 && code <= 97) return { ...pen, colour: code - 90 }
  return code === 39 ? { ...pen, colour: null } : pen
}

/** `5;n` and `2;r;g;b`: the nearest of the named colours, and the number of codes read. */
function extended([form, ...values]: number[]): [number | null, number] {
  if (form === 5) return [ofPalette(values[0] ?? 7), 2]
  if (form === 2) return [nearest(values[0] ?? 0, values[1] ?? 0, values[2] ?? 0), 4]
  return [null, 1]
}

function ofPalette(n: number): number {
  if (n < 16) return n % 8
  if (n >= 232) return n < 244 ? 0 : 7
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40)
  return nearest(level(Math.floor((n - 16) / 36)), level(Math.floor((n - 16) / 6) % 6), level((n - 16) % 6))
}

/** The nearest of the eight names, as three bits: red, green and blue. */
function nearest(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue)
  if (most < 40) return 0
  const bit = (value: number, at: number) => (value > most * 0.6 ? at : 0)
  return bit(red, 1) | bit(green, 2) | bit(blue, 4)
}
