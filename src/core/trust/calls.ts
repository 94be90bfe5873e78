/**
 * The calls in the text of a promise, a script or a recipe: which program with which words, in which directory, and
 * whether the text looks at its output. Nothing is run. A text that the parser gives up on is split by its operators,
 * since a call that is guessed is looked at, and a call that is missed is believed.
 */
import { baseName, type Element, readCommands, readerOf, type Word } from './commands.ts'

export type Call = {
  /** The name of the program, without its directory. */
  program: string
  /** The program as it is spelled. */
  path: string
  args: string[]
  /** The directory that the text has gone to by `cd`, below the one it began in. */
  cwd: string
  /** Its output is piped into another program, written to a file or substituted. */
  isRead: boolean
}

/** `looped`: the words of each `for`, as in `for t in cases/*.sh; do sh "$t"; done`. */
type Calls = { calls: Call[]; looped: { words: string[]; cwd: string; name: string }[] }

export function callsIn(text: string): Calls {
  const { plain, substituted } = withoutBash(text)
  const inside = substituted.flatMap(one => callsIn(one).calls.map(call => ({ ...call, isRead: true })))
  const { calls, looped } = callsOf(plain)
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
  const looksAt = (element: Element) =>
    piped.has(element) || element.writes.some(word => !/\/dev\//.test(word))
  let cwd = ''
  const calls = reader.commands.flatMap(({ words, around, isSubstituted }): Call[] => {
    const [path = '', ...args] = withoutPrefix(words.map(spelled))
    if (path === '') return []
    const call = { program: baseName(path), path, args, cwd }
    if (call.program === 'cd') cwd = inTree(below(cwd, args.find(word => !word.startsWith('-')) ?? ''))
    return [{ ...call, isRead: isSubstituted || around.some(looksAt) }]
  })
  const looped = reader.loops.map(({ name, words }) => ({
    name: name ?? '',
    words: words.map(spelled),
    cwd: calls.at(-1)?.cwd ?? '',
  }))
  return { calls, looped }
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
    const call = { program: baseName(path), path, args, cwd, isRead: false }
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
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`
}

export function directoryOf(path: string): string {
  return path.split('/').slice(0, -1).join('/')
}
