/**
 * Which files of a tree a text names: by a path, by an import with or without its ending, as a module of Python, or, in
 * languages whose linker joins them, by a word that is the stem of another file. Pure: paths and texts come in.
 */
import { pathsIn } from './call-texts.ts'
import { below, directoryOf, inTree } from './calls.ts'
import { baseName } from './commands.ts'

type Naming = {
  /** The files that the text at this path names, without itself. */
  namedIn(path: string, text: string): Set<string>
  /** The files that a word means, seen from this directory. */
  meant(word: string, directory: string): string[]
}

export function namingOf(paths: readonly string[]): Naming {
  const byPlace = Map.groupBy(
    paths.flatMap(path => placesOf(path).map(place => ({ place, path }))),
    ({ place }) => place,
  )
  const byName = Map.groupBy(paths, baseName)
  const linked = Map.groupBy(
    paths.filter(path => byLinker.test(path)),
    path => baseName(path).replace(/\.\w+$/, ''),
  )
  const at = (place: string) => (byPlace.get(place) ?? []).map(({ path }) => path)
  const meant = (word: string, directory: string): string[] => {
    for (const base of word.startsWith('.') ? [directory, ''] : ['', directory, 'src', 'lib']) {
      const found = at(inTree(below(base, word)))
      if (found.length > 0) return found
    }
    const named = byName.get(baseName(word)) ?? []
    return named.length === 1 && /\.\w+$/.test(word) ? named : []
  }
  return {
    meant,
    namedIn(path, text) {
      const directory = directoryOf(path)
      const words = [...pathsIn(text), ...quotedIn(text), ...(/\.pyi?$/.test(path) ? modulesIn(text) : [])]
      const found = new Set(words.flatMap(word => meant(word, directory)))
      if (byLinker.test(path))
        for (const word of new Set(text.match(/\b[A-Za-z_]\w+(?=\s*\()/g)))
          for (const one of linked.get(word) ?? []) found.add(one)
      found.delete(path)
      return found
    },
  }
}

const byLinker = /\.(?:c|cc|cpp|cxx|m|mm|f|f90|s|asm)$/

/** The names under which a file can be meant: as it is, without its ending, and as the index of its directory. */
function placesOf(path: string): string[] {
  const plain = path.replace(/(?<=[^/])\.\w+$/, '')
  const isIndex = /(?:^|\/)(?:index|__init__|__main__|mod)$/.test(plain)
  return [...new Set([path, plain, ...(isIndex ? [directoryOf(plain)] : [])])].filter(place => place !== '')
}

/** Strings that can be paths or modules; one that has only letters is a word like any other unless it is imported. */
function quotedIn(text: string): string[] {
  const quoted = Array.from(
    text.matchAll(/["'`]((?:\.{1,2}\/)?[\w@-]+(?:[./][\w@-]+)+)["'`]/g),
    ([, word = '']) => word,
  )
  const imported = Array.from(
    text.matchAll(
      /(?:\brequire\s*\(\s*|\bfrom\s+|\bimport\s*\(?\s*|\binclude\s+|\brequire_relative\s+)["'<]([\w./@-]+)/g,
    ),
    ([, word = '']) => word,
  )
  return [...quoted, ...imported].flatMap(word =>
    /^[\w.]+$/.test(word) && !word.startsWith('.') ? [word, word.replaceAll('.', '/')] : word,
  )
}

/** `import a.b`, `from a import b`, `from . import c` */
function modulesIn(text: string): string[] {
  const from = Array.from(
    text.matchAll(/^\s*from\s+(\.*)([\w.]*)\s+import\s+\(?([\w ,]+)/gm),
    ([, dots = '', name = '', names = '']) => {
      const up = dots.length > 1 ? '../'.repeat(dots.length - 1) : dots === '.' ? './' : ''
      const base = `${up}${name.replaceAll('.', '/')}`
      return [
        base,
        ...names
          .split(',')
          .map(one => `${base}${base.endsWith('/') || base === '' ? '' : '/'}${one.trim().split(' ')[0]}`),
      ]
    },
  ).flat()
  const plain = Array.from(text.matchAll(/^\s*import\s+([\w., ]+)/gm), ([, names = '']) =>
    names.split(',').map(one => (one.trim().split(' ')[0] ?? '').replaceAll('.', '/')),
  ).flat()
  return [...from, ...plain].filter(word => word !== '')
}
