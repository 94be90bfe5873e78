/**
 * The colour in effect at a position of a text: the combined effect of the colour escapes (SGR) before it, as
 * the shortest escape that restores it. A text can thus be shown from its middle. Blink and conceal are
 * dropped, as everywhere in the output. Other escapes are ignored.
 */

type Attribute = 'bold' | 'dim' | 'italic' | 'underline' | 'inverse' | 'strike'

type Colour = Partial<Record<Attribute, string>> & { fore?: string; back?: string }

/** The codes that switch an attribute on. */
const on: Record<string, Attribute> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  9: 'strike',
  21: 'underline',
}

/** The codes that switch something off. */
const off: Record<string, (keyof Colour)[]> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
  39: ['fore'],
  49: ['back'],
}

const order: (keyof Colour)[] = ['bold', 'dim', 'italic', 'underline', 'inverse', 'strike', 'fore', 'back']

/**
 * `before`, `codes` and the result are the text between `ESC[` and `m`; empty means no colour. `codes` is the
 * next escape.
 */
export function colourAfter(before: string, codes: string): string {
  const colour = codes === '' ? {} : parsed(before)
  const parts = codes.split(';')
  for (let at = 0; at < parts.length; ) at += apply(colour, parts, at)
  return order.flatMap(name => colour[name] ?? []).join(';')
}

function parsed(codes: string): Colour {
  const colour: Colour = {}
  const parts = codes === '' ? [] : codes.split(';')
  for (let at = 0; at < parts.length; ) at += apply(colour, parts, at)
  return colour
}

/** Applies the code at this index; returns the number of codes that belong together. */
function apply(colour: Colour, parts: readonly string[], at: number): number {
  const code = parts[at] ?? ''
  const [head = ''] = code.split(':')
  const attribute = on[head]
  if (head === '' || Number(head) === 0) for (const name of order) delete colour[name]
  else if (code === '4:0') delete colour.underline
  else if (attribute) colour[attribute] = head
  else if (off[head]) for (const name of off[head]) delete colour[name]
  else if (/^(?:3[0-7]|9[0-7])$/.test(head)) colour.fore = head
  else if (/^(?:4[0-7]|10[0-7])$/.test(head)) colour.back = head
  else if (head === '38' || head === '48' || head === '58') return applyLong(colour, parts, at)
  return 1
}

/** Applies `38;5;n` or `38;2;r;g;b`, also with colons. Any other form is skipped, as the terminal filter does. */
function applyLong(colour: Colour, parts: readonly string[], at: number): number {
  const code = parts[at] ?? ''
  const many = code.includes(':') ? 1 : parts[at + 1] === '5' ? 3 : parts[at + 1] === '2' ? 5 : 1
  const whole = parts.slice(at, at + many)
  const isWhole = code.includes(':') || (many > 1 && whole.length === many)
  const text = whole.join(';')
  if (isWhole && text.length <= 24 && /^[\d;:]+$/.test(text)) {
    if (code.startsWith('38')) colour.fore = text
    if (code.startsWith('48')) colour.back = text
  }
  return many
}
