/**
 * The text of a promise and of the files that say what it does, as they are before anything runs: the names at the root
 * of the tree, the scripts of `package.json`, and paths that the environment completes. Read without following a link or
 * waiting for a pipe.
 */
import { readdirSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { readPlain } from '../../../adapters/tree-file.ts'

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

export function textBelow(cwd: string, env: NodeJS.ProcessEnv): (path: string) => string | null {
  const inPlace = inPlaces(cwd, env)
  return path => {
    const text = scriptText(resolve(cwd, path))
    return text === null ? null : inPlace(text)
  }
}

const mostText = 64 * 1024

export function scriptText(file: string): string | null {
  const found = readPlain(dirname(file), basename(file), mostText)
  return typeof found === 'string' || found.text.includes('\0') ? null : found.text
}

/** The scripts that `npm test` and the like stand for. */
export function scriptsIn(cwd: string): string[] {
  try {
    // Whatever stands in its place: a pipe would hold the loop for ever.
    const found = readPlain(cwd, 'package.json')
    const { scripts } = JSON.parse(typeof found === 'string' ? '{}' : found.text)
    return Object.values(scripts ?? {}).filter(script => typeof script === 'string')
  } catch {
    return [] // no package.json, or none that npm could read either
  }
}
