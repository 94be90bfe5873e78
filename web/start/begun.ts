/** After a start: shows the result and the notes of loop, and opens the page of the new loop. */
import type { Answered } from '../base/api.ts'
import { goTo } from '../base/router.ts'
import { saidHow, say } from '../base/toast.ts'

export function begun(got: Answered<{ id: string; notices: readonly string[] }>): boolean {
  if (!saidHow(got, 'It is in the queue.')) return false
  for (const text of got.value.notices) say({ tone: 'good', text })
  goTo(`/loops/${got.value.id}`)
  return true
}
