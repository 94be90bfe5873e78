/**
 * The keys that a person presses while a loop runs in the foreground. From here on nothing typed is echoed into the
 * view, and nothing of it is left for the shell. The terminal gets its own mode back whenever somebody else needs it:
 * while a question is asked, while the program is stopped by Ctrl-Z, and at the end, whatever the end is (Node does it
 * where the program ends by itself).
 */
import { procOf } from '../../adapters/process/proc.ts'

export type Keys = {
  /** Gives the terminal back for a while. */
  rest(): void
  again(): void
  forget(): void
}

const ctrlC = '\u0003'
const ctrlZ = '\u001A'
const ctrlBackslash = '\u001C'

export const noKeys: Keys = { rest() {}, again() {}, forget() {} }

/** `interrupt` is Ctrl-C, which reaches this program as a key from here on. */
export function listenToKeys(actions: Readonly<Record<string, () => void>>, interrupt: () => void): Keys {
  const { stdin } = process
  let isTaken = false
  const letGo = () => {
    if (!isTaken) return
    isTaken = false
    stdin.off('data', onData)
    stdin.setRawMode(false)
    stdin.pause()
  }
  const take = () => {
    // Setting the mode of a terminal that is another program's now would stop this one.
    if (isTaken || !isInForeground()) return
    isTaken = true
    stdin.setRawMode(true)
    stdin.on('data', onData)
    stdin.resume()
  }
  const stopBy = (signal: NodeJS.Signals) => {
    letGo()
    // To the whole group, as the terminal would.
    process.kill(0, signal)
    // Where nobody could take it up again, the signal does nothing.
    setTimeout(take, 50).unref()
  }
  const system: Record<string, () => void> = {
    [ctrlC]: interrupt,
    [ctrlZ]: () => stopBy('SIGTSTP'),
    [ctrlBackslash]: () => stopBy('SIGQUIT'),
  }
  const onData = (data: Buffer) => {
    const typed = data.toString('latin1')
    // More than one at once is pasted, or a key that sends a sequence: no wish of anybody.
    if (typed.length === 1) actions[typed]?.()
    for (const key of typed) system[key]?.()
  }
  // A shell that takes the program up again has set the terminal for itself in between.
  const onContinue = () => {
    if (isInForeground()) letGo()
    take()
  }
  process.on('SIGCONT', onContinue)
  take()
  return {
    rest: letGo,
    again: take,
    forget() {
      process.off('SIGCONT', onContinue)
      letGo()
    },
  }
}

/** Whether the terminal of this program is its own just now. */
export function isInForeground(): boolean {
  const own = procOf(process.pid)
  return own !== null && own.group === own.foreground
}
