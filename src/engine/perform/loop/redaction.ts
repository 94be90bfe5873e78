/**
 * Removes secrets from the output of runs: from tails before they are recorded, and from the files of a run once none
 * of its processes is alive. A file is rewritten and renamed only if it contains a secret, in pieces of bounded size; a
 * second pass changes nothing.
 */
import { constants, lstatSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { type Redactor, redactor, redactText, type Secret, secretsIn } from '../../../secrets/redact.ts'
import { sizeOf } from '../../../store/files/artifact.ts'

/** Larger pieces are no faster, and their strings are garbage-collected late. */
const pieceBytes = 1 << 15

export function cleanOf(env: NodeJS.ProcessEnv): (text: string) => string {
  const secrets = secretsIn(env)
  return text => redactText(text, secrets)
}

/** The secret values as latin1 strings, to match bytes read one to one. */
export function secretBytes(env: NodeJS.ProcessEnv): Secret[] {
  return secretsIn(env).map(secret => ({ ...secret, value: Buffer.from(secret.value).toString('latin1') }))
}

/** The first `size` bytes of a file without secrets, in pieces; all other bytes are unchanged. */
export async function* redactedPieces(
  file: FileHandle,
  size: number,
  redact: Redactor,
): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(pieceBytes)
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(pieceBytes, size - at), at)
    if (bytesRead === 0) break
    at += bytesRead
    yield Buffer.from(redact.push(buffer.toString('latin1', 0, bytesRead)), 'latin1')
  }
  yield Buffer.from(redact.end(), 'latin1')
}

/** Opens the file only if it is a regular file: an agent can put a link to anything there. Null otherwise. */
export async function openOutput(path: string): Promise<FileHandle | null> {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return null
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
}

/** The number of secrets removed from the file; an abort stops it and the result is 0. */
export async function redactFile(path: string, secrets: Secret[], signal: AbortSignal): Promise<number> {
  if (sizeOf(path) === 0) return 0
  const file = await openOutput(path)
  if (!file) return 0
  try {
    const { size } = await file.stat()
    const looking = redactor(secrets)
    for await (const _ of redactedPieces(file, size, looking)) if (signal.aborted) return 0
    if (looking.count() === 0) return 0
    return (await rewrite(file, { path, size, secrets }, signal)) ? looking.count() : 0
  } finally {
    await file.close()
  }
}

async function rewrite(
  from: FileHandle,
  { path, size, secrets }: { path: string; size: number; secrets: Secret[] },
  signal: AbortSignal,
): Promise<boolean> {
  const temporary = `${path}.redacted`
  await rm(temporary, { force: true })
  const to = await open(temporary, 'wx', 0o600)
  try {
    for await (const piece of redactedPieces(from, size, redactor(secrets))) {
      if (signal.aborted) return false
      await to.writeFile(piece)
    }
    await to.sync()
  } finally {
    await to.close()
  }
  await rename(temporary, path)
  return true
}
