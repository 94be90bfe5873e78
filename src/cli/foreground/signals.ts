/**
 * Keys and signals of a foreground loop: the first Ctrl-C, or the key p, pauses after this iteration, and r
 * withdraws that; a second Ctrl-C within ten seconds, or the key x, cancels now; a closed terminal or TERM leaves
 * the agent running. While a hook runs, the first Ctrl-C stops it.
 */
import { type Driven, submit } from '../../engine/drive.ts'
import { type Keys, listenToKeys, noKeys } from './keys.ts'

const secondInterruptMs = 10_000

type Heard = { keys: Keys; forget(): void }

/** `withKeys`: a person is at the terminal, and the loop may use it exclusively. */
export function listen(loop: Driven, leave: AbortController, withKeys: boolean): Heard {
  let interruptedAt = Number.NEGATIVE_INFINITY
  const onInterrupt = () => {
    const again = performance.now() - interruptedAt < secondInterruptMs
    interruptedAt = performance.now()
    // A hook has no iteration to wait for.
    submit(loop, { kind: again || loop.state.hook.open ? 'cancel' : 'pause' })
  }
  const isHeld = () => loop.state.turn.hold !== null
  const actions = {
    p: () => isHeld() || submit(loop, { kind: 'pause' }),
    r: () => isHeld() && submit(loop, { kind: 'resume', stays: true }),
    x: () => submit(loop, { kind: 'cancel' }),
  }
  const onLeave = () => leave.abort()
  process.on('SIGINT', onInterrupt)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, onLeave)
  const keys = withKeys ? listenToKeys(actions, onInterrupt) : noKeys
  return {
    keys,
    forget() {
      keys.forget()
      process.off('SIGINT', onInterrupt)
      for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, onLeave)
    },
  }
}
