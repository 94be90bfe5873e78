/** A request to loopd as a hook: its answer, requested again whenever one of its inputs changes. */
import { useEffect, useState } from 'preact/hooks'
import type { Answered, Refused } from './api.ts'
import { useCell } from './cell.ts'
import { hostedBy } from './feed.ts'

export type Inquiry<T> = { value: T | null; refused: Refused | null; isLoading: boolean; reload(): void }

/**
 * `key` identifies the request: it is sent again when the key changes, and after a restart of loopd. Null sends
 * nothing. The previous answer stays until the next one has arrived.
 */
export function useAsked<T>(
  key: string | null,
  question: (signal: AbortSignal) => Promise<Answered<T>>,
): Inquiry<T> {
  const [round, setRound] = useState(0)
  const [got, setGot] = useState<{ key: string | null; answer: Answered<T> } | null>(null)
  const host = useCell(hostedBy)
  useEffect(() => {
    if (key === null) return
    const stop = new AbortController()
    question(stop.signal).then(
      answer => stop.signal.aborted || setGot({ key, answer }),
      (error: unknown) => setGot({ key, answer: { ok: false, reason: 'internal', message: String(error) } }),
    )
    return () => stop.abort()
  }, [key, round, host?.startedAt])
  const answer = got?.key === key ? got.answer : null
  return {
    value: answer?.ok ? answer.value : null,
    refused: answer && !answer.ok && answer.reason !== 'aborted' ? answer : null,
    isLoading: key !== null && answer === null,
    reload: () => setRound(n => n + 1),
  }
}
