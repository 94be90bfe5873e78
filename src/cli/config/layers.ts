/**
 * What the configuration files say, as layers below the command line. The file of a work tree counts only if the
 * user trusts it: a cloned repository can neither steer a loop nor keep one from starting, so a file that is not
 * trusted is left out, and that is said.
 */
import { readSync } from 'node:fs'
import { dirname } from 'node:path'
import { ok, type Result } from '../../model/failure.ts'
import type { ConfigFile } from '../../options/config/file.ts'
import { layerOf, parseConfig } from '../../options/config/parse.ts'
import { recordTrust, trustOf } from '../../options/config/trust.ts'
import type { Layer, Layers } from '../../options/setting.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { jsonText, spelledOut } from '../../views/text/plain-text.ts'
import type { Input } from '../command-table.ts'
import { err, write } from '../terminal.ts'
import type { Files } from './load.ts'
import { setLines } from './print.ts'

/** `mayAsk`: somebody is there to answer whether a file is trusted. */
export function loadLayers(input: Input, files: Files, mayAsk: boolean): Result<Layers> {
  const user = files.user.ok && files.user.value ? layerFrom(files.user.value) : files.user
  if (!user.ok) return user
  const project = projectLayer(input, files.project, mayAsk)
  if (!project.ok) return project
  return ok({
    ...(typeof user.value === 'function' && { user: user.value }),
    ...(project.value && { project: project.value }),
  })
}

function layerFrom(file: ConfigFile): Result<Layer> {
  const entries = parseConfig(file)
  return entries.ok ? ok(layerOf(file, entries.value)) : entries
}

function projectLayer(input: Input, read: Files['project'], mayAsk: boolean): Result<Layer | null> {
  const wanted = input.given('trust')
  if (!read.ok) return wanted ? read : leftOut(input, `${read.failure.message} It was not used.`)
  const file = read.value
  if (!file) return ok(null)
  const trust = trustOf(pathsFrom(input.env), file)
  if (trust === 'trusted') return layerFrom(file)
  const changed = trust === 'changed'
  if (!wanted && (!mayAsk || trust === 'refused')) return leftOut(input, untrusted(file, changed))
  const layer = layerFrom(file)
  if (!layer.ok && !wanted) return leftOut(input, `${layer.failure.message} The file was not used.`)
  if (!layer.ok) return layer
  const trusted = wanted || ask(file, changed)
  const recorded = recordTrust(pathsFrom(input.env), file, trusted)
  if (!recorded.ok) return recorded
  return trusted ? layer : leftOut(input, untrusted(file, false))
}

function untrusted({ path }: ConfigFile, changed: boolean): string {
  const why = changed ? 'has changed since you trusted it' : 'is not trusted'
  return `${path} ${why} and was not used. ${wayToTrust(path)}`
}

export function wayToTrust(path: string): string {
  const tree = dirname(dirname(path))
  const quoted = /^[\w./-]+$/.test(tree) ? tree : `'${tree.replaceAll("'", "'\\''")}'`
  return `Read it, then trust it with: loop config trust${tree === process.cwd() ? '' : ` --cwd ${quoted}`}`
}

/** Loud, and no reason to stop. */
function leftOut(input: Input, message: string): Result<null> {
  notice(input, message)
  return ok(null)
}

export function notice(input: Input, message: string): void {
  err(input.given('json') ? jsonText({ notice: { message } }) : `loop: ${spelledOut(message)}`)
}

function ask(file: ConfigFile, changed: boolean): boolean {
  const why = changed ? 'has changed since you trusted it' : 'has not been trusted yet'
  const question = 'Use it? You are asked again only when it changes. [y/N] '
  write(2, [`${spelledOut(file.path)} ${why}. It sets:`, ...setLines(file), question].join('\n'))
  return /^y(es)?$/i.test(readLine().trim())
}

/** One line of the terminal; what was typed before its end, when that is all there is. */
function readLine(): string {
  let line = ''
  while (line.length < 1_000) {
    const character = readCharacter()
    if (character === '' || character === '\n') break
    line += character
  }
  return line
}

function readCharacter(): string {
  const byte = Buffer.alloc(1)
  for (;;) {
    try {
      return byte.toString('latin1', 0, readSync(0, byte))
    } catch (error) {
      // A terminal that somebody has made non-blocking; one that is gone answers nothing.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return ''
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}
