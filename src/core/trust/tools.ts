/**
 * Where the tools of a promise are, outside of checkpoints: ignored directories of the tree with the runner,
 * directories of installed packages, and programs on the PATH.
 */
import { baseName } from './commands.ts'
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

/** `words`: all plain words of the commands; `programs`: those words that name a program of a known family. */
type Tools = { tools: string[]; packages: string[]; programs: string[]; words: string[] }

/** Scripts are among the tools: one that is ignored, or outside of the tree, is in no checkpoint. */
export function toolsOf({ families, chain }: SideRules): Tools {
  const isTool = (text: string) => families.some(({ programs }) => programs.includes(baseName(text)))
  const places = families.flatMap(({ name }) => inTree[name] ?? [])
  return {
    tools: [...places.flatMap(({ tools }) => tools), ...chain.scripts],
    packages: places.flatMap(({ packages = [] }) => packages),
    programs: [...new Set([...always, ...chain.words.filter(isTool)])],
    words: [...new Set([...always, ...chain.words])],
  }
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
