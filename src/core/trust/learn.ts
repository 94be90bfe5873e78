/**
 * Reads the files that a promise runs: the commands in its scripts, and the recipes of its makefiles. So `./verify.sh`
 * and `make test` are steered by the runner that they call, and by the scripts that they call in turn. The files are
 * only read: nothing is run.
 */
import { baseName } from '../shell/programs.ts'
import { checksRunBy, scriptsRunBy, shellWords } from './steering.ts'

const mostDepth = 4
const mostFiles = 40
const makefiles = ['GNUmakefile', 'makefile', 'Makefile']

/** `read` returns the text of a file of the tree; null if it is missing, too large or not text. */
export function learntFrom(commands: readonly string[], read: (path: string) => string | null): string[] {
  const learnt: string[] = []
  const seen = new Set<string>()
  let open = commands.flatMap(command => [...scriptsRunBy(command), ...makefilesOf(command)])
  for (let depth = 0; depth < mostDepth && open.length > 0; depth += 1) {
    const next: string[] = []
    for (const path of open) {
      if (seen.has(path) || seen.size >= mostFiles) continue
      seen.add(path)
      const text = read(path)
      const found = text === null ? [] : commandsIn(path, text)
      learnt.push(...found)
      next.push(...found.flatMap(command => [...checksRunBy(command), ...makefilesOf(command)]))
      if (text !== null && isMakefile(path)) next.push(...included(text))
    }
    open = next
  }
  return learnt
}

function isMakefile(path: string): boolean {
  return makefiles.includes(baseName(path)) || path.endsWith('.mk')
}

function makefilesOf(command: string): string[] {
  const isMake = shellWords(command).some(words => words.some(word => /^g?make$/.test(baseName(word))))
  return isMake ? makefiles : []
}

function included(text: string): string[] {
  return Array.from(text.matchAll(/^-?include +([\w./-]+)/gm), ([, path = '']) => path)
}

function commandsIn(path: string, text: string): string[] {
  if (isMakefile(path)) {
    return text
      .split('\n')
      .flatMap(line => (line.startsWith('\t') ? line.slice(1).replace(/^[@+-]+/, '') : []))
  }
  const isShell = path.endsWith('.sh') || /^#!.*\b(?:ba|da|z|k)?sh\b/.test(text) || !/\.\w+$/.test(path)
  return isShell ? [text] : []
}

/** Words by which settings name a file that the runner loads. `main` and `exports` of a package are not among them. */
const loads =
  /(?:^|[\s="'])(?:-r|-p|--require|--import|--loader|--experimental-loader)[ =]|node-options|setup|preload|plugins?\b|reporters?\b|addopts|preset|runner|^-?include\b/i

/** The new files that the runner loads because the changed settings name them. */
export function loadedBy(settings: readonly string[], files: readonly string[]): string[] {
  const lines = settings.flatMap(text => text.split('\n')).filter(line => loads.test(line))
  const words = new Set(lines.flatMap(line => line.split(/[^\w.-]+/)))
  return files.filter(path => {
    const name = baseName(path)
    return words.has(name) || words.has(name.replace(/\.\w+$/, ''))
  })
}
