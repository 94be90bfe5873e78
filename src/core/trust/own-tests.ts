/**
 * Tests that stand inside of sources: the examples of a docstring, `#[cfg(test)] mod tests`, functions named test, the
 * assertions of a program about itself. In a clean run the old blocks take the place of the new ones, so that only the
 * rest of the file is the work. Pure: texts come in.
 */

/** `key` tells the same block in two versions of a file; `rest` is what stays of the file without its blocks. */
type Block = { key: string; text: string; at: number }
type Divided = { blocks: Block[]; lines: (string | Block)[] }

type Language = {
  files: RegExp
  /** The first line of a block, and where it ends. */
  starts: { first: RegExp; by: 'indent' | 'braces' | 'example' | 'line'; holds?: RegExp }[]
}

const asserts = /\bassert|\bexpect\s*\(|\bunittest\b|\bdoctest\b|\btest\w*\s*\(/

const languages: readonly Language[] = [
  {
    files: /\.pyi?$/,
    starts: [
      { first: /^\s*>>> /, by: 'example' },
      { first: /^if __name__\s*==/, by: 'indent', holds: asserts },
      { first: /^\s*(?:async )?def test|^class (?:Test\w*|\w+\(.*TestCase\))/, by: 'indent' },
      { first: /^assert\b/, by: 'line' },
    ],
  },
  { files: /\.(?:md|rst|txt)$/, starts: [{ first: /^\s*>>> /, by: 'example' }] },
  { files: /\.exs?$/, starts: [{ first: /^\s*iex(?:\(\d+\))?> /, by: 'example' }] },
  {
    files: /\.rs$/,
    starts: [
      { first: /^\s*#\[cfg\(test\)\]/, by: 'braces' },
      { first: /^\s*#\[(?:\w+::)?test\]/, by: 'braces' },
      { first: /^\s*\/\/[/!] (?:assert|let\b.*=)/, by: 'line' },
    ],
  },
  { files: /\.(?:zig|d)$/, starts: [{ first: /^\s*(?:test\b.*|unittest\s*)\{/, by: 'braces' }] },
  {
    files: /\.[cm]?[jt]sx?$/,
    starts: [
      { first: /^if \((?:import\.meta\.vitest|require\.main === module)/, by: 'braces', holds: asserts },
      { first: /^(?:test|it|describe|suite)(?:\.\w+)?\(/, by: 'braces' },
      { first: /^(?:console\.)?assert(?:\.\w+)?\(/, by: 'line' },
    ],
  },
  {
    files: /\.(?:rb|pl|php)$/,
    starts: [{ first: /^if __FILE__ == \$(?:0|PROGRAM_NAME)/, by: 'indent', holds: asserts }],
  },
]

function divided(path: string, text: string): Divided {
  const starts = languages.find(({ files }) => files.test(path))?.starts ?? []
  const source = text.split('\n')
  const lines: Divided['lines'] = []
  for (let at = 0; at < source.length; ) {
    const line = source[at] ?? ''
    const start = starts.find(({ first }) => first.test(line))
    const end = start ? endOf(source, at, start.by) : at
    const body = source.slice(at, end).join('\n')
    const isBlock = start !== undefined && (start.holds?.test(body) ?? true)
    lines.push(isBlock ? { key: line.trim(), text: body, at } : line)
    at = isBlock ? end : at + 1
  }
  return { lines, blocks: lines.filter(one => typeof one !== 'string') }
}

/** The line after the block. */
function endOf(source: readonly string[], at: number, by: Language['starts'][number]['by']): number {
  const first = source[at] ?? ''
  const indent = indentOf(first)
  if (by === 'line') return at + 1
  let end = at + 1
  if (by === 'example') {
    // The example goes on with `...`; what it prints ends at a blank line, the next example or the end of the string.
    while (end < source.length && !/^\s*$|^\s*(?:>>>|iex)|"""|'''|^\s*```/.test(source[end] ?? '')) end += 1
    return end
  }
  if (by === 'indent') {
    while (end < source.length && (/^\s*$/.test(source[end] ?? '') || indentOf(source[end] ?? '') > indent))
      end += 1
    while (/^\s*$/.test(source[end - 1] ?? '') && end > at + 1) end -= 1
    return end
  }
  let open = 0
  for (end = at; end < source.length; end += 1) {
    const plain = (source[end] ?? '').replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|\/\/.*/g, '')
    const before = open
    for (const sign of plain) open += /[{(]/.test(sign) ? 1 : /[})]/.test(sign) ? -1 : 0
    if (open <= 0 && (before > 0 || /[{(]/.test(plain)) && !/^\s*#\[[^\]]*\]\s*$/.test(source[end] ?? ''))
      return end + 1
  }
  return source.length
}

function indentOf(line: string): number {
  return /^\s*/.exec(line)?.[0].length ?? 0
}

export function hasOwnTests(path: string, text: string): boolean {
  return divided(path, text).blocks.length > 0
}

/** Functions and classes that are tests by their names: a file of them can be all tests. */
export function isOfTests(path: string, text: string): boolean {
  return divided(path, text).blocks.some(({ key }) =>
    /^(?:async )?def test|^class |^(?:test|it|describe|suite)\b/.test(key),
  )
}

/** `rest`: the file without its tests has changed; `tests`: the tests in it have. */
export function changedParts(path: string, before: string, now: string): { rest: boolean; tests: boolean } {
  const [old, fresh] = [divided(path, before), divided(path, now)]
  const restOf = ({ lines }: Divided) =>
    lines.filter(one => typeof one === 'string' && one.trim() !== '').join('\n')
  const testsOf = ({ blocks }: Divided) => blocks.map(({ text }) => text.trimEnd()).join('\n')
  return { rest: restOf(old) !== restOf(fresh), tests: testsOf(old) !== testsOf(fresh) }
}

/** The rest of one version with the tests of another. What has no place there is put at the end. */
export function withTestsOf(path: string, { rest, tests }: { rest: string; tests: string }): string {
  const open = [...divided(path, tests).blocks]
  const take = (key: string) => {
    const at = open.findIndex(one => one.key === key)
    return at < 0 ? null : (open.splice(at, 1)[0]?.text ?? null)
  }
  const kept = divided(path, rest).lines.flatMap(one =>
    typeof one === 'string' ? one : (take(one.key) ?? []),
  )
  const examples = open.filter(({ key }) => /^(?:>>>|iex)/.test(key))
  const others = open.filter(one => !examples.includes(one)).map(({ text }) => text)
  const main = others.filter(text => text.startsWith('if '))
  return [
    kept.join('\n').trimEnd(),
    ...asFunction(
      path,
      examples.map(({ text }) => text),
    ),
    ...others.filter(text => !main.includes(text)),
    ...main,
    '',
  ].join('\n')
}

/** Examples that lost their docstring get a function of their own; in a text they stand for themselves. */
function asFunction(path: string, examples: readonly string[]): string[] {
  if (examples.length === 0) return []
  const lines = examples.flatMap(text => {
    const indent = indentOf(text)
    return text.split('\n').map(line => `    ${line.slice(indent)}`)
  })
  return path.endsWith('.py') ? ['', '', 'def _examples():', '    """', ...lines, '    """'] : ['', ...lines]
}
