/**
 * The look of a screen: with or without colour, with Unicode signs or ASCII ones for simple terminals. Only the sixteen
 * named colours, so that the user's theme applies. A sign or a word always repeats what a colour says.
 */

export type Look = { colour: boolean; unicode: boolean }

const codes = {
  dim: '2',
  bold: '1',
  red: '31',
  green: '32',
  yellow: '33',
  blue: '34',
  cyan: '36',
  inverse: '7',
  title: '1;36',
} as const

export type Ink = keyof typeof codes

export function ink({ colour }: Pick<Look, 'colour'>, name: Ink, text: string): string {
  if (!colour || text === '') return text
  // A reset inside the text would end this colour too: begin the colour again after each.
  const open = `\u001B[${codes[name]}m`
  return `${open}${text.replaceAll('\u001B[0m', `\u001B[0m${open}`)}\u001B[0m`
}

const signs = {
  pass: ['✓', 'ok'],
  fail: ['✗', 'x'],
  error: ['!', '!'],
  busy: ['●', '*'],
  rest: ['⏸', '='],
  wait: ['◷', '~'],
  warn: ['⚠', '!'],
  stop: ['■', '#'],
  none: ['·', '.'],
  flag: ['⚑', '#'],
  chosen: ['★', '*'],
  cursor: ['▸', '>'],
  bar: ['│', '|'],
  rule: ['─', '-'],
  branch: ['├', '|'],
  last: ['└', '`'],
  arrow: ['→', '->'],
  dot: ['·', '-'],
  full: ['█', '#'],
  empty: ['░', '.'],
  down: ['↓', 'v'],
} as const

export function sign({ unicode }: Pick<Look, 'unicode'>, name: keyof typeof signs): string {
  return signs[name][unicode ? 0 : 1]
}

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Numbers as small bars, the newest at the right; in ASCII the numbers themselves. */
export function chart({ unicode }: Pick<Look, 'unicode'>, values: readonly number[], width: number): string {
  const shown = values.slice(-Math.max(1, width))
  const most = Math.max(...shown, 1)
  if (!unicode) return shown.slice(-4).join('>')
  return shown.map(value => (value === 0 ? '▁' : (bars[Math.ceil((value / most) * 7)] ?? '█'))).join('')
}

/** A bar that shows how much of a limit is used. */
export function gauge(look: Look, part: number, width: number): string {
  const filled = Math.min(width, Math.max(0, Math.round(part * width)))
  return sign(look, 'full').repeat(filled) + sign(look, 'empty').repeat(width - filled)
}

/** Replaces characters that ASCII lacks, in texts from elsewhere. */
export function inCharset({ unicode }: Pick<Look, 'unicode'>, text: string): string {
  if (unicode || !/[^\x00-\x7F]/.test(text)) return text
  return text.replaceAll(/[^\x00-\x7F]/gu, character => plain[character] ?? '?')
}

const plain: Record<string, string> = {
  '–': '-',
  '—': '-',
  // As wide as what it stands for: cells of tables are cut with it.
  '…': '~',
  '·': '-',
  '✓': 'ok',
  '✗': 'x',
  '→': '->',
  '│': '|',
  '├': '|',
  '└': '`',
  '─': '-',
  '╭': '+',
  '╮': '+',
  '╰': '+',
  '╯': '+',
  // As wide as the pictures.
  '🟢': '**',
  '🟡': '**',
  '🔴': '**',
  '★': '*',
  '⚑': '#',
  '●': '*',
  '⏸': '=',
  '⚠': '!',
  '■': '#',
  '◷': '~',
  '−': '-',
  '×': 'x',
  '∞': 'inf',
  '“': '"',
  '”': '"',
  '’': "'",
  '≥': '>=',
}
