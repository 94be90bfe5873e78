/**
 * Where the tools of a promise are, outside of checkpoints: ignored directories of the tree with the runner,
 * directories of installed packages, and programs on the PATH.
 */
import { baseName } from './commands.ts'
import { ecosystems } from './ecosystems.ts'
import { kindOfCall } from './program-kinds.ts'
import type { SideRules } from './side.ts'

const nodePackages =
  'jest jest-cli jest-circus jest-runner @jest vitest @vitest mocha ava tap chai expect c8 nyc uvu jasmine typescript ts-node tsx eslint @playwright playwright cypress'.split(
    ' ',
  )

type Places = { tools: readonly string[]; packages?: readonly string[] }

const inTree: Record<string, Places> = {
  JavaScript: {
    tools: ['node_modules/.bin', ...nodePackages.map(name => `node_modules/${name}`)],
    packages: ['node_modules'],
  },
  Python: { tools: ['.venv/bin', 'venv/bin'], packages: ['.venv/lib', 'venv/lib'] },
  PHP: { tools: ['vendor/bin'], packages: ['vendor'] },
  Git: { tools: ['.git/config', '.git/hooks', '.git/info'] },
}

const always = ['sh', 'env']

/**
 * `words`: all plain words of the commands; `programs`: those words that name a program of a known family. `caches`:
 * programs that may believe results in a cache of theirs; those of known families keep packages there.
 */
type Tools = { tools: string[]; packages: string[]; caches: string[]; programs: string[]; words: string[] }

/** Scripts are among the tools: one that is ignored, or outside of the tree, is in no checkpoint. */
export function toolsOf({ families, chain }: SideRules): Tools {
  const isTool = (text: string) => families.some(({ programs }) => programs.includes(baseName(text)))
  const places = families.flatMap(({ name }) => inTree[name] ?? [])
  return {
    tools: [
      ...places.flatMap(({ tools }) => tools),
      ...chain.scripts,
      ...[...chain.compared, ...(chain.isRunning ? chain.inspected : [])].filter(isOutside),
    ],
    caches: chain.programs.filter(program => isUnheardOf(program)),
    packages: places.flatMap(({ packages = [] }) => packages),
    programs: [...new Set([...always, ...chain.words.filter(isTool)])],
    words: [...new Set([...always, ...chain.words])],
  }
}

function isUnheardOf(program: string): boolean {
  const isKnown = ecosystems.some(({ programs }) => programs.includes(program))
  return !isKnown && /^[\w.+-]+$/.test(program) && kindOfCall({ program, args: [] }) === 'runner'
}

/** In no checkpoint. */
function isOutside(path: string): boolean {
  return path.startsWith('/') || path.startsWith('../')
}

/** The package that a file belongs to: `node_modules/a/lib/x.js` → `node_modules/a`. */
export function packageOf(path: string): string {
  const parts = path.split('/')
  const at = Math.max(
    parts.lastIndexOf('node_modules'),
    parts.lastIndexOf('site-packages'),
    parts.lastIndexOf('vendor'),
  )
  const isScoped = parts[at + 1]?.startsWith('@') ?? false
  return parts.slice(0, at + (isScoped ? 3 : 2)).join('/')
}

/*
 * Comments that keep a tool from looking: `// eslint-disable`, `# noqa`, `#[allow(…)]`, `c8 ignore next`. A linter, a type
 * checker or a threshold of coverage that passes by them has not been satisfied.
 */
const comment = /(?:\/\/|\/\*|#|<!--|--|;|%|\{-|"""|^\s*\*)(.*)$/
/** `tool-disable`, `tool: ignore`, `@tool-ignore`: a directive has a sign between the tool and what it asks for. */
const directive =
  /[\w@]+(?:-|:\s?|\s?\[)(?:[\w-]*-)?(?:disable|ignore|suppress|off|skip|no-?check|expect-error|no-?cover)\b|\bno(?:qa|sec|lint|sonar|inspection)\b|\b(?:ignore|disable|suppress)(?:-\w|:\s|=)|pragma:? *no ?cover/i
const coverage = /\b(?:istanbul|c8|v8|[\w:]*cov(?:erage)?)\s+(?:ignore|disable|off|skip)/i
const attribute =
  /#!?\[(?:allow|expect|coverage\(off|\w+::skip)|@(?:\w+\.)?no_type_check|^\s*#\s*pragma\s.*\bignored\b|^\s*\/\/\s*(?:go:build|\+build)\s+ignore\b|@Suppress(?:Warnings)?\b|@SuppressFBWarnings|\[SuppressMessage/

/** How often a text silences a tool; `tools`: names that stand in a comment of their own, as in `eslint no-var: 0`. */
export function silences(text: string, tools: readonly string[]): number {
  // A comment that asks a checker to look, and is gone, counts as much.
  const asked = text.match(/^\s*(?:\/\/|\/\*\*?)\s*@(?:ts-check|flow)\b/gm)?.length ?? 0
  const silenced = text.split('\n').filter(line => {
    if (attribute.test(line)) return true
    const said = comment.exec(line)?.[1] ?? ''
    if (said === '') return false
    const [first = ''] = said.trim().split(/[^\w-]/)
    return directive.test(said) || coverage.test(said) || tools.includes(first)
  })
  return silenced.length - asked
}
