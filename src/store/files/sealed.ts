/**
 * Seals a short text with a key in the data directory, so that nobody comes upon it who searches journals, exports and
 * backups. The same text gives the same seal, so that two specs can be compared. It is no wall: who reads the key file
 * on purpose can open it.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeDirectory } from './directory.ts'
import type { Paths } from './paths.ts'

const form = /^sealed:1:([\w-]{38,})$/
const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export function seal({ sealKey }: Pick<Paths, 'sealKey'>, text: string): string {
  const key = readKey(sealKey) ?? newKey(sealKey)
  const nonce = createHmac('sha256', key).update(text).digest().subarray(0, nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce)
  const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
  return `sealed:1:${Buffer.concat([nonce, sealing.getAuthTag(), body]).toString('base64url')}`
}

/** The text; one that is not sealed is itself. Null if the key is gone or is another one. */
export function unseal({ sealKey }: Pick<Paths, 'sealKey'>, text: string): string | null {
  const [, body] = form.exec(text) ?? []
  if (body === undefined) return text
  const key = readKey(sealKey)
  if (key === null) return null
  const bytes = Buffer.from(body, 'base64url')
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return opening.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + opening.final('utf8')
  } catch {
    return null // sealed with another key, or changed since
  }
}

function readKey(file: string): Buffer | null {
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url')
    return key.length === 32 ? key : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  }
}

/** Of two processes that make it at once, both use the first. */
function newKey(file: string): Buffer {
  const own = `${file}.${process.pid}`
  makeDirectory(dirname(file))
  rmSync(own, { force: true })
  writeFileSync(own, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(own, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(own, { force: true })
  }
  const key = readKey(file)
  if (key === null) throw new Error(`${file} holds no key: delete it, and hold-outs sealed with it are lost`)
  return key
}
