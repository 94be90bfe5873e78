/**
 * Prints the files of its working directory without .git. A program of its own, because it runs in a mount namespace.
 */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

function* lines(directory: string): Generator<string> {
  for (const name of readdirSync(directory).sort()) {
    if (name === '.git') continue
    const path = join(directory, name)
    const stat = lstatSync(path)
    const mode = (stat.mode & 0o7777).toString(8)
    const words = `${path} ${mode} ${stat.isDirectory() ? '' : Math.round(stat.mtimeMs)}`
    if (stat.isSymbolicLink()) yield `${path} -> ${readlinkSync(path)}`
    else if (stat.isFile()) yield `${words} ${createHash('sha1').update(readFileSync(path)).digest('hex')}`
    else yield `${words} ${stat.isDirectory() ? 'dir' : 'other'}`
    if (stat.isDirectory()) yield* lines(path)
  }
}

process.stdout.write(`${[...lines('.')].join('\n')}\n`)
