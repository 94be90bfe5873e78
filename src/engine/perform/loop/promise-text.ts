/**
 * The text of a promise and of the files that say what it does, as they are before anything runs: names in directories of
 * the tree, and paths that the environment completes. Read without following a link or waiting for a pipe.
 */
import { readdirSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { readPlain } from '../../../adapters/tree-file.ts'
import type { Reading } from '../../../core/trust/recipes.ts'

export function namesAtRoot(directory: string): string[] {
  try {
    return readdirSync(directory).slice(0, 2_000)
  } catch {
    return [] // the next step that needs the tree says why it cannot be read
  }
}

const ofHome = /\$HOME\b(?=\/)|\$\{HOME\}(?=\/)|(?<=^|[\s"=])~(?=\/)/gm
const ofTree = /(?:\$PWD|\$\{PWD\})\//g

/** `"$HOME/checks/all.sh"`, `~/checks/all.sh`, `$PWD/verify.sh` name files that are known before anything runs. */
export function inPlaces(cwd: string, { HOME: home = '' }: NodeJS.ProcessEnv): (text: string) => string {
  // In quotes or not: a path of any other form would need some.
  const isPlain = /^[\w/.+-]+$/.test(home)
  return text => {
    const there = text.replaceAll(ofTree, './').replaceAll(`${cwd}/`, './')
    return isPlain ? there.replaceAll(ofHome, home) : there
  }
}

/** The tree as a chain reads it; each file and directory is read once. */
export function readingOf(cwd: string, env: NodeJS.ProcessEnv): Reading {
  const inPlace = inPlaces(cwd, env)
  const texts = new Map<string, string | null>()
  const names = new Map<string, string[]>()
  return {
    read(path) {
      const known = texts.get(path)
      if (known !== undefined) return known
      const text = scriptText(resolve(cwd, path))
      const found = text === null ? null : inPlace(text)
      texts.set(path, found)
      return found
    },
    list(directory) {
      const known = names.get(directory) ?? namesAtRoot(resolve(cwd, directory))
      names.set(directory, known)
      return known
    },
  }
}

const mostText = 64 * 1024

export function scriptText(file: string): string | null {
  const found = readPlain(dirname(file), basename(file), mostText)
  return typeof found === 'string' || found.text.includes('\0') ? null : found.text
}
