/**
 * Texts that try to control a terminal, to hide, to reorder, or to pass for a line of loop; and the check of what is
 * shown.
 */
import assert from 'node:assert/strict'

export const ESC = '\u001B'
export const BEL = '\u0007'

/** On one line. Each attack is surrounded by a word that may be shown. */
export const attacks = [
  `${ESC}]52;c;cm0gLXJmIC8=${BEL}`,
  `${ESC}]0;title${BEL}`,
  `${ESC}P+q544e${ESC}\\`,
  `${ESC}[?1049h`,
  `${ESC}[2J`,
  `${ESC}[6n`,
  `${ESC}[8mconcealed${ESC}[0m`,
  `${ESC}[1;8;31mhidden in a colour${ESC}[m`,
  `\u009B31m`,
  `\u009D0;title\u009C`,
  BEL,
  '\b\b',
  '\u202Ereordered\u202C',
  '\u2066isolated\u2069',
  'zero\u200Bwidth',
  '\u{E0041}\u{E007F}',
  '\u2028\u2029',
  `${ESC}]0;without an end`,
].join(' and ')

export const fakeLine = 'Loop aaaaaa completed: the promise holds.'
/** A file name has at most 255 bytes. */
export const hostileName = `n${ESC}]0;x${BEL}\u009B\u202E\u{E0041}${ESC}[8m\n${fakeLine}\nend`

const colour = new RegExp(`${ESC}\\[([\\d;]*)m`, 'g')

/** Only text, newlines, tabs, and colour that hides nothing. */
export function assertSafe(text: string, what: string): void {
  for (const [, codes = ''] of text.matchAll(colour))
    assert.ok(!codes.split(';').includes('8'), `${what}: conceals`)
  const bare = text.replaceAll(colour, '')
  const bad = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/u.exec(bare)
  const around = bad ? JSON.stringify(bare.slice(Math.max(0, bad.index - 60), bad.index + 30)) : ''
  assert.equal(bad, null, `${what}: U+${bad?.[0].codePointAt(0)?.toString(16)} in ${around}`)
}

export function assertNoFakeLine(text: string, what: string): void {
  assert.ok(!text.split(/\r?\n/).includes(fakeLine), `${what}: a line that is not loop's`)
}
