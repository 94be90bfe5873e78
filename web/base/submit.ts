/** A form or a button that sends a request: busy until the answer arrives, so that nothing is sent twice. */
import { useState } from 'preact/hooks'
import { say } from './toast.ts'

/** `done` is called after a success. */
export function useSubmit(
  work: () => Promise<boolean>,
  done: () => void = () => undefined,
): { isBusy: boolean; submit(event?: Event): void } {
  const [isBusy, setBusy] = useState(false)
  const submit = (event?: Event) => {
    event?.preventDefault()
    if (isBusy) return
    setBusy(true)
    work().then(
      hasWorked => {
        setBusy(false)
        if (hasWorked) done()
      },
      (error: unknown) => {
        setBusy(false)
        say({ tone: 'bad', text: String(error) })
      },
    )
  }
  return { isBusy, submit }
}
