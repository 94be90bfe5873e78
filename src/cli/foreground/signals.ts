/**
 * What the terminal and the system tell a foreground loop: the first Ctrl-C pauses after this iteration; a
 * second within ten seconds, or the key x, cancels now; a closed terminal or TERM leaves the agent running.
 */
import { type Driven, submit } from '../../engine/drive.ts'

const secondInterruptMs = 10_000
const ctrlC = '\u0003'

export function listen(loop: Driven, leave: AbortController): { forget(): void } {
  let interruptedAt = Number.NEGATIVE_INFINITY
  let keys: { forget(): void } | null = null
  const onInterrupt = () => {
    const again = performance.now() - interruptedAt < secondInterruptMs
    interruptedAt = performance.now()
    submit(loop, { kind: again ? 'cancel' : 'pause' })
    keys ??= listenToKeys({ [ctrlC]: onInterrupt, x: () => submit(loop, { kind: 'cancel' }) })
  }
  const onLeave = () => leave.abort()
  process.on('SIGINT', onInterrupt)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, onLeave)
  return {
    forget() {
      keys?.forget()
      process.off('SIGINT', onInterrupt)
      for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, onLeave)
    },
  }
}

/** Only once the person has pressed Ctrl-C: until then the terminal is left as it is. */
function listenToKeys(actions: Record<string, () => void>): { forget(): void } {
  const { stdin } = process
  if (!stdin.isTTY) return { forget() {} }
  const onData = (data: Buffer) => {
    for (const key of data.toString('latin1')) actions[key]?.()
  }
  stdin.setRawMode(true)
  stdin.on('data', onData)
  stdin.resume()
  return {
    forget() {
      stdin.off('data', onData)
      stdin.setRawMode(false)
      stdin.pause()
    },
  }
}
