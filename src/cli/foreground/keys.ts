/**
 * The keys that a person presses while a loop runs in the foreground. While it listens, typed characters are neither
 * echoed nor left for the shell. The terminal's own mode is restored whenever somebody else needs it: during a
 * question, while the program is stopped by Ctrl-Z, and at any kind of end (Node does it if the program ends by
 * itself).
 */
import { platform } from '../../platform/platform.ts'

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

/** `interrupt` is Ctrl-C, which arrives as a key in this mode. */
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
    // Setting the mode of a terminal that belongs to another program now would stop this one.
    if (isTaken || !isInForeground()) return
    isTaken = true
    stdin.setRawMode(true)
    stdin.on('data', onData)
    stdin.resume()
  }
  const stopBy = (signal: NodeJS.Signals) => {
    letGo()
    // To the whole process group, as the terminal would.
    process.kill(0, signal)
    // If nobody could continue the program, the signal has no effect.
    setTimeout(take, 50).unref()
  }
  const system: Record<string, () => void> = {
    [ctrlC]: interrupt,
    [ctrlZ]: () => stopBy('SIGTSTP'),
    [ctrlBackslash]: () => stopBy('SIGQUIT'),
  }
  const onData = (data: Buffer) => {
    const typed = data.toString('latin1')
    // Several characters at once are pasted text or a key sequence: not a command.
    if (typed.length === 1) actions[typed]?.()
    for (const key of typed) system[key]?.()
  }
  // The shell that continues the program has changed the terminal's mode in between.
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

/** Whether this program is in the foreground of its terminal. */
export function isInForeground(): boolean {
  const own = platform.processes.find(process.pid)
  return own !== null && own.group === own.foreground
}
