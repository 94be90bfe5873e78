/**
 * What stands behind a name in a promise: the scripts of a package.json behind `npm test`, the recipes of a Makefile
 * behind `make test`, with the directory that the call goes to (`--prefix`, `-C`). Pure: texts come in.
 */
import { below, type Call, inTree } from './calls.ts'
import { baseName } from './commands.ts'

/** `targets`, `includes`: of a makefile, as paths of the tree or globs. */
export type Recipe = { text: string; cwd: string; from: string; targets?: string[]; includes?: string[] }

export type Reading = {
  /** The text of a file of the tree, or of an absolute path; null if it is missing, too large or not text. */
  read(path: string): string | null
  /** The names in a directory of the tree; none if it is no directory. */
  list(directory: string): string[]
}

const directoryFlags = /^(?:--prefix|-C|--cwd|--dir|--directory|-w|--workspace|--filter|-F)$/

/** The directories that a call of a package runner or of make works in. */
function placesOf({ args }: Call, cwd: string): string[] {
  const found = args.flatMap((word, at) => {
    const [, flag, value] = /^(-[\w-]+)=(.+)$/.exec(word) ?? [null, word, args[at + 1] ?? '']
    if (directoryFlags.test(flag ?? '')) return inTree(below(cwd, value ?? ''))
    return /^-C./.test(word) ? inTree(below(cwd, word.slice(2))) : []
  })
  return found.length > 0 ? found : [cwd]
}

const builtIn =
  /^(?:install|i|ci|add|exec|x|dlx|pack|publish|audit|ls|list|why|view|init|create|config|set|--version)$/

/** The scripts that a call can run: the named one with those around it, or all of them if the name is not known. */
export function scriptsCalled(call: Call, cwd: string, tree: Reading): Recipe[] {
  const valued = new Set(call.args.flatMap((word, at) => (directoryFlags.test(word) ? [at, at + 1] : [])))
  const [first = '', second = ''] = call.args.filter((word, at) => !valued.has(at) && !word.startsWith('-'))
  if (builtIn.test(first)) return []
  const name = /^(?:run|run-script|rum)$/.test(first) ? second : /^(?:t|tst)$/.test(first) ? 'test' : first
  const all = call.args.some(word => /^(?:-ws|--workspaces|-r|--recursive)$/.test(word))
  const places = placesOf(call, cwd).flatMap(place => (all ? [place, ...workspacesIn(place, tree)] : place))
  return places.flatMap(place => {
    const from = inTree(below(place, 'package.json'))
    const scripts = scriptsIn(tree.read(from))
    const named = [`pre${name}`, name, `post${name}`].flatMap(one => scripts[one] ?? [])
    const texts = named.length > 0 ? named : Object.values(scripts)
    return texts.map(text => ({ text, cwd: place, from }))
  })
}

/** The directories of a monorepo that contain a package.json, one or two levels down. */
function workspacesIn(place: string, tree: Reading): string[] {
  const names = (at: string) => tree.list(at).filter(name => !/^(?:\.|node_modules$)/.test(name))
  const near = names(place).map(name => inTree(below(place, name)))
  const all = [...near, ...near.flatMap(at => names(at).map(name => `${at}/${name}`))]
  return all.slice(0, mostPlaces).filter(at => tree.read(`${at}/package.json`) !== null)
}

const mostPlaces = 400

function scriptsIn(text: string | null): Record<string, string> {
  try {
    const { scripts } = JSON.parse(text ?? '{}')
    return Object.fromEntries(
      Object.entries(scripts ?? {}).filter(([, one]) => typeof one === 'string'),
    ) as Record<string, string>
  } catch {
    return {} // nor could npm read it
  }
}

const makefiles = ['GNUmakefile', 'makefile', 'Makefile', 'justfile', 'Justfile', '.justfile', 'Taskfile.yml']

/** The recipes of the files that a call of make reads, included ones too. */
export function recipesOf(call: Call, cwd: string, tree: Reading): Recipe[] {
  return rulesRead(call, cwd, tree).map(({ text, ...place }) => ({ ...place, text: recipeLines(text) }))
}

/** Those of its own targets only. */
export function ownRecipesOf(call: Call, cwd: string, tree: Reading): Recipe[] {
  const targets = targetsOf(call)
  return rulesRead(call, cwd, tree).map(({ text, ...place }) => ({
    ...place,
    text: recipeLines(rulesFor(targets, text)),
  }))
}

/** The texts of the files that a call of make reads. */
function rulesRead(call: Call, cwd: string, tree: Reading): Recipe[] {
  const given = call.args.flatMap((word, at) =>
    /^(?:-f|--file|--makefile)$/.test(word) ? (call.args[at + 1] ?? []) : [],
  )
  const open = placesOf(call, cwd).flatMap(place =>
    (given.length > 0 ? given : makefiles).map(name => ({ place, from: inTree(below(place, name)) })),
  )
  const found: Recipe[] = []
  const seen = new Set<string>()
  for (let next = open.shift(); next && seen.size < mostPlaces; next = open.shift()) {
    const { place, from } = next
    const text = seen.has(from) ? null : tree.read(from)
    seen.add(from)
    if (text === null) continue
    const at = (path: string) => inTree(below(place, path))
    const includes = includedIn(text).map(at)
    // A file that was given by its name is included too.
    const own = given.length > 0 || !makefiles.includes(baseName(from)) ? [from] : []
    found.push({
      text,
      cwd: place,
      from,
      targets: targetsIn(text).map(at),
      includes: [...own, ...includes],
    })
    open.push(...includes.map(path => ({ place, from: path })))
  }
  return found
}

/** Names of files, and the globs in `$(wildcard conf/*)`; what else is known only at run time is left out. */
function includedIn(text: string): string[] {
  return Array.from(text.matchAll(/^[-s]?include +(.+)$/gm), ([, words = '']) =>
    words.replaceAll(/\$\(wildcard +([^()]*)\)/g, '$1').split(/\s+/),
  )
    .flat()
    .filter(word => /^[\w./*?-]+$/.test(word))
}

function targetsIn(text: string): string[] {
  return Array.from(text.matchAll(/^([\w./ -]+?)\s*::?(?!=)/gm), ([, names = '']) => names.split(/\s+/))
    .flat()
    .filter(name => /\w/.test(name) && !name.startsWith('.'))
}

/** The rules that lead to some targets, with everything that is no rule; all of them where one cannot be found. */
function rulesFor(targets: readonly string[], text: string): string {
  const parts = text.replaceAll(/\\\n\s*/g, ' ').split(/\n(?=\S)/)
  const rules = parts.map(part => {
    const [, names, needs = ''] = /^([\w./ -]+):(?![=:])([^\n;#]*)/.exec(part) ?? []
    return { part, names: names?.trim().split(/\s+/), needs: needs.trim().split(/\s+/) }
  })
  const isPlain = targets.length > 0 && !/^\s*(?:-?include|define|\.SECONDEXPANSION|%)|^[^\t#]*%/m.test(text)
  const wanted = new Set(targets)
  const needsOf = (name: string) => rules.flatMap(({ names, needs }) => (names?.includes(name) ? needs : []))
  for (const name of wanted) for (const need of needsOf(name)) wanted.add(need)
  const isKnown = targets.every(name => rules.some(({ names }) => names?.includes(name)))
  if (!isPlain || !isKnown) return text
  return rules.flatMap(({ part, names }) => (names?.every(name => !wanted.has(name)) ? [] : part)).join('\n')
}

/** The indented lines, with continued lines below, the marks of make taken off and its variables put in. */
function recipeLines(text: string): string {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n')
  const set = lines.flatMap(line => {
    const [, name = '', value = ''] = /^(?:export\s+)?(\w+)\s*[:?+]{0,2}=\s*(.*?)\s*$/.exec(line) ?? []
    return name === '' ? [] : [[name, value] as const]
  })
  const values = new Map([['MAKE', 'make'], ['SHELL', 'sh'], ['CC', 'cc'], ...set])
  const filled = (line: string) =>
    line.replaceAll(/\$[({](\w+)[)}]/g, (_, name: string) => values.get(name) ?? `$${name}`)
  const globs = Array.from(text.matchAll(/\$\(wildcard +([^()]*)\)/g), ([, words = '']) =>
    words.split(/\s+/),
  ).flat()
  let needed: string[] = []
  return lines
    .flatMap(line => {
      if (/^(?:\t| {2,})\S/.test(line)) return withNeeded(line.trim().replace(/^[@+-]+/, ''), needed)
      const [, words = null] = /^[^\s#=][^=]*?::?(?!=)\s*([^;]*)/.exec(line) ?? []
      if (words !== null)
        needed = filled(filled(words))
          .split(/\s+/)
          .flatMap(word => neededBy(word, globs))
      const [, inline = ''] = /^[^\s#=][^=]*?::?(?!=)[^;]*;\s*(.*)$/.exec(line) ?? []
      return inline === '' ? [] : withNeeded(inline.replace(/^[@+-]+/, ''), needed)
    })
    .map(line => filled(filled(line)).replaceAll('$$', '$'))
    .join('\n')
}

/** What a rule needs: names, and for a pattern the globs with its ending that the file searches by. */
function neededBy(word: string, globs: readonly string[]): string[] {
  if (!word.includes('%')) return /^[\w./*?-]+$/.test(word) ? [word] : []
  const end = word.slice(word.indexOf('%') + 1)
  const found = globs.filter(glob => glob.endsWith(end))
  return found
}

/** Puts what a rule needs in the places of `$<` and `$^`, and any name in that of `$*`. */
function withNeeded(line: string, needed: readonly string[]): string {
  const all = needed.join(' ')
  return line
    .replaceAll(/(?<!\$)\$(?:[<^+?]|\([<^+?]\))/g, all === '' ? '$needed' : all)
    .replaceAll(/(?<!\$)\$\*/g, '*')
}

/** The targets in a call such as `make -s test`. */
export function targetsOf({ program, args }: Call): string[] {
  return /^g?make$/.test(program) ? args.filter(word => /^[\w.][\w.-]*$/.test(word)) : []
}
