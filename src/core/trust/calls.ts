/**
 * The calls in the text of a promise, a script or a recipe: which program with which words, in which directory, and
 * whether the text looks at its output. Nothing is run. A text that the parser gives up on is split by its operators,
 * since a call that is guessed is looked at, and a call that is missed is believed.
 */
import { baseName, type Element, readCommands, readerOf, type Word } from './commands.ts'
import { holdsAgainst } from './compared.ts'
import { kindOfCall } from './program-kinds.ts'

export type Call = {
  /** The name of the program, without its directory. */
  program: string
  /** The program as it is spelled. */
  path: string
  args: string[]
  /** The directory that the text has gone to by `cd`, below the one it began in. */
  cwd: string
  /** Its output is piped into another program, written to a file or substituted; or it runs beside the others (`&`). */
  isRead: boolean
  /** `xargs` gives it its files. */
  isFed: boolean
  /** Its output is held against that of another, or run: `diff <(sort want.txt) <(sh greet.sh)`. */
  isHeld?: true
  /** The files that its output goes to. */
  writes: string[]
  /** The files and texts at its standard input, and the calls that are piped into it. */
  input: { files: string[]; texts: string[]; calls: Call[] }
}

/** The words of each `for`, as in `for t in cases/*.sh; do sh "$t"; done`. `isRun`: they are run, or are cases of a run. */
type Looped = { words: string[]; cwd: string; isRun: boolean }
type Calls = { calls: Call[]; looped: Looped[] }

export function callsIn(text: string): Calls {
  const { plain, substituted } = withoutBash(text)
  const { calls, looped } = callsOf(plain)
  const isHeld =
    /\b(?:diff|cmp|comm|read|mapfile)\b|(?:^|[\s;&|])(?:\.|source|(?:ba)?sh)\s+\/dev\/stdin/.test(plain)
  const inside = substituted.flatMap(one =>
    callsIn(one).calls.map(call => ({ ...call, isRead: true, ...(isHeld && { isHeld }) })),
  )
  return { calls: [...calls, ...inside], looped }
}

/** What bash has and the parser does not: `[[ … ]]` reads like `[ … ]`, and `<(…)` is a file that a command writes. */
function withoutBash(text: string): { plain: string; substituted: string[] } {
  const substituted: string[] = []
  const plain = text
    .replaceAll(/<\(([^()]*)\)/g, (_, command: string) => {
      substituted.push(command)
      return '/dev/stdin'
    })
    .replaceAll(/(^|[\s;&|!])\[\[(?=\s)/g, '$1[')
    .replaceAll(/\s\]\](?=[\s;&|)]|$)/g, ' ]')
    .replaceAll(/^\s*function\s+(\w+)\s*(?:\(\))?/gm, '$1()')
  return { plain, substituted }
}

function callsOf(text: string): Calls {
  const reader = readerOf(text, [])
  readCommands(reader, [])
  if (reader.trouble !== null) return roughly(text)
  const piped = new Set<Element>(reader.pipelines.flatMap(pipeline => pipeline.slice(0, -1)))
  // Nobody asks how a command in the background ends, such as a server that others are to reach.
  const isAside = !reader.commands.some(({ words: [first] }) => /^(?:wait|fg)$/.test(first?.text ?? ''))
  const looksAt = (element: Element) =>
    piped.has(element) ||
    element.writes.some(word => !/\/dev\//.test(word)) ||
    (isAside && element.isBackground)
  const loops = reader.loops.map(({ name, words }) => ({ name: name ?? '', words: words.map(spelled) }))
  const assigned = reader.commands.flatMap(({ words }) => assignmentsIn(words.map(spelled)))
  const single = loops.flatMap(({ name, words: [word, ...more] }) =>
    word && more.length === 0 ? [[name, word] as const] : [],
  )
  const value = expander(new Map([...assigned, ...single]))
  let cwd = ''
  const found = reader.commands.flatMap(({ words, around, isSubstituted }) => {
    const plain = words.map(spelled)
    const [path = '', ...args] = withoutPrefix(plain.map(value))
    if (path === '') return []
    const isFed = plain.indexOf('xargs') === 0
    const isRead = isSubstituted || around.some(looksAt)
    const call = { program: baseName(path), path, args, cwd, isRead, isFed }
    if (call.program === 'cd') cwd = inTree(below(cwd, args.find(word => !word.startsWith('-')) ?? ''))
    const files = around.flatMap(({ reads }) => reads).map(word => value(word.replaceAll(/["']/g, '')))
    const input: Call['input'] = { files, texts: around.at(-1)?.heredocs ?? [], calls: [] }
    const writes = around.flatMap(one => one.writes).map(word => value(word.replaceAll(/["']/g, '')))
    return [{ call: { ...call, input, writes }, around, written: plain }]
  })
  for (const pipeline of reader.pipelines)
    for (const { call, around } of found) {
      const at = pipeline.findIndex(element => around.includes(element))
      const left = new Set(pipeline.slice(0, Math.max(0, at)))
      call.input.calls.push(...found.filter(one => one.around.some(e => left.has(e))).map(one => one.call))
    }
  const isCompared = found.some(({ call }) => holdsAgainst(call))
  const looped = loops.map(({ name, words }) => ({
    words,
    cwd: found.at(-1)?.call.cwd ?? '',
    isRun: found.some(({ call, written }) => isCompared || runsVariable(call, written, name)),
  }))
  return { calls: found.map(({ call }) => call), looped }
}

/** `NAME=value` before a command or alone; the value can hold what is known only at run time. */
function assignmentsIn(words: readonly string[]): [string, string][] {
  const end = words.findIndex(word => !/^[A-Za-z_]\w*=/.test(word))
  return words.slice(0, end < 0 ? words.length : end).map(word => {
    const at = word.indexOf('=')
    return [word.slice(0, at), word.slice(at + 1)]
  })
}

/** Puts the values of variables that the text itself sets in their places; `${f%.in}` takes an ending off. */
function expander(values: ReadonlyMap<string, string>): (word: string) => string {
  const once = (word: string) =>
    word.replaceAll(/\$(?:\w+|\{\w+(?:%%?[^}*]*)?\})/g, all => {
      const [, name = '', ending = ''] = /^\$\{?(\w+)(?:%%?([^}*]*))?/.exec(all) ?? []
      const value = values.get(name)
      if (value === undefined || value.includes(all)) return all
      return ending !== '' && value.endsWith(ending) ? value.slice(0, -ending.length) : value
    })
  // Values can name other variables; `$(…)` is a command of its own.
  return word => (word.includes('$') ? once(once(word)) : word)
}

/** Is the variable of a loop run, or given to something that is run? */
function runsVariable({ program, args }: Call, written: readonly string[], name: string): boolean {
  const isIt = (word: string) => word.includes(`$${name}`) || word.includes(`\${${name}`)
  const [first = '', ...more] = withoutPrefix(written)
  if (isIt(first)) return true
  const kind = kindOfCall({ program, args })
  return more.some(isIt) && kind !== 'inspector' && kind !== 'neutral' && kind !== 'comparer'
}

/** The word without its quotes; what is known only at run time stays as it is written. */
function spelled({ text, raw }: Word): string {
  return text ?? raw.replaceAll(/["']/g, '')
}

function roughly(text: string): Calls {
  let cwd = ''
  const calls = text.split(/&&|\|\||[;\n|(){}`]|\[\[|\]\]/).flatMap((part): Call[] => {
    const words = (part.match(/"[^"]*"|'[^']*'|[^\s<>]+/g) ?? []).map(word => word.replaceAll(/["']/g, ''))
    const [path = '', ...args] = withoutPrefix(words.filter(word => !keywords.test(word)))
    if (path === '') return []
    const input = { files: [], texts: [], calls: [] }
    const isFed = words.includes('xargs')
    const call = { program: baseName(path), path, args, cwd, isRead: false, isFed, input, writes: [] }
    if (path === 'cd') cwd = inTree(below(cwd, args[0] ?? ''))
    return [call]
  })
  return { calls, looped: [] }
}

const keywords = /^(?:if|then|elif|else|fi|while|until|do|done|case|esac|in|!|time|function)$/

const prefixes =
  /^(?:exec|env|command|builtin|time|nice|nohup|timeout|xvfb-run|stdbuf|sudo|busybox|npx|pnpx|bunx|uvx|xargs|!)$/
/** `uv run pytest`, `bundle exec rspec`, `npm exec jest`. */
const runners =
  /^(?:uv run|poetry run|pdm run|hatch run|pipenv run|bundle exec|npm exec|pnpm exec|yarn exec|pnpm dlx)$/

/** The program and its arguments: `FOO=1 timeout 60 npm test` runs npm. */
function withoutPrefix(words: readonly string[]): string[] {
  let at = 0
  for (;;) {
    const [word = '', next = ''] = words.slice(at)
    if (runners.test(`${word} ${next}`)) at += 2
    else if (prefixes.test(word)) at += 1
    else if (/^[A-Za-z_]\w*=/.test(word)) {
      at += 1
      continue
    } else return words.slice(at)
    while (/^(?:-.*|\d+[smhd]?)$/.test(words[at] ?? '')) at += 1
  }
}

/** A path below a directory; an absolute one stays as it is. */
export function below(directory: string, path: string): string {
  return path.startsWith('/') || directory === '' ? path : `${directory}/${path}`
}

export function inTree(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..' && (parts.length === 0 || parts.at(-1) === '..') && !path.startsWith('/'))
      parts.push(part)
    else if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`
}

export function directoryOf(path: string): string {
  return path.split('/').slice(0, -1).join('/')
}
