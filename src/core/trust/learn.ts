/**
 * Reads the files that a promise runs: the commands in its scripts, and the recipes of its makefiles. So `./verify.sh`
 * and `make test` are steered by the runner that they call, and by the scripts that they call in turn. The files are
 * only read: nothing is run. A script in another language and a path that a shell puts together are not understood, but
 * a file that they name counts as run if its name says that it is a check.
 */
import { isTestFile } from '../change/test-file.ts'
import { baseName } from '../shell/programs.ts'
import {
  callsItselfCheck,
  checksRunBy,
  directoryOf,
  isCheckData,
  scriptsRunBy,
  shellWords,
} from './steering.ts'

const mostDepth = 4
const mostFiles = 40
const mostNamed = 200
const makefiles = ['GNUmakefile', 'makefile', 'Makefile']

type Read = (path: string) => string | null

/** `read` returns the text of a file of the tree or of an absolute path; null if it is missing, too large or not text. */
export function learntFrom(commands: readonly string[], read: Read): string[] {
  const learnt: string[] = []
  const texts = remembered(read)
  const seen = new Set<string>()
  let open = commands.flatMap(command => [...scriptsRunBy(command), ...makefilesOf(command)])
  for (let depth = 0; depth < mostDepth && open.length > 0; depth += 1) {
    const next: string[] = []
    for (const path of open) {
      if (seen.has(path) || seen.size >= mostFiles) continue
      seen.add(path)
      const text = texts(path)
      if (text === null) continue
      const found = commandsIn(path, text)
      found.push(...namedIn(path, text, { known: found.flatMap(checksRunBy), read: texts }))
      learnt.push(...found)
      next.push(...found.flatMap(command => [...checksRunBy(command), ...makefilesOf(command)]))
      if (isMakefile(path)) next.push(...included(text))
    }
    open = next
  }
  return learnt
}

function remembered(read: Read): Read {
  const texts = new Map<string, string | null>()
  return path => {
    const known = texts.get(path)
    if (known !== undefined) return known
    const text = read(path)
    texts.set(path, text)
    return text
  }
}

const runnable = /(?:^|\/)[^.]+$|\.(?:sh|bash|zsh|py|rb|pl|php|[cm]?[jt]s)$/

/** What follows it is the known part of a path. */
const expansion = /\$(?:\w+|\{[^}]*\})/g

/**
 * What a script names, as commands: a check as one that runs it (`sh "$HERE/checks/run.sh"`,
 * `execFileSync('sh', ['checks/run.sh'])`), its data as one that reads it. Only files that are there.
 */
function namedIn(path: string, text: string, { known, read }: { known: string[]; read: Read }): string[] {
  const beside = directoryOf(path)
  const words = text.replaceAll(expansion, ' ').match(/[\w.-]+(?:\/[\w.-]+)+|[\w-]+\.\w+/g) ?? []
  return [...new Set(words)].slice(0, mostNamed).flatMap(word => {
    const name = word.replace(/^(?:\.\/)+/, '')
    const isRun = runnable.test(name)
    const isMeant = (place: string) =>
      (isRun ? callsItselfCheck(place) : isCheckData(directoryOf(place))) &&
      place !== path &&
      !known.includes(place) &&
      !isTestFile(place)
    const places = [name, ...(beside === '' ? [] : [`${beside}/${name}`])]
    const found = places.find(place => isMeant(place) && read(place) !== null)
    return found === undefined ? [] : `${isRun ? './' : 'cat '}${found}`
  })
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
