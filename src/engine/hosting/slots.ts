/**
 * The slot of one hosted journal: its right to start agents, of which a host gives only so many at once. A wait gives it
 * up; the end of a wait asks for another one (`turn` in engine/drive). engine/hosting decides who gets one.
 */
import type { Head } from '../../core/head.ts'
import type { Kinds } from '../../core/machine.ts'
import { keepsSlot } from '../../core/queue.ts'
import type { Driven } from '../drive.ts'

export type Slot = {
  isTaken(): boolean
  /** The head of a journal that has no slot and could continue with one; otherwise null. */
  waking(): Head | null
  give(): void
}

/** `changed`: a slot is free again, or one more is wanted. */
export function slotFor(journal: Driven<Kinds>, changed: () => void): Slot {
  let seen: Kinds['state'] | null = null
  let taken = true
  let wanted = false
  const head = (): Head => journal.machine.summarize(journal.state)
  // Computed again only after a change: there can be a thousand loops.
  const isTaken = () => {
    if (seen !== journal.state) taken = keepsSlot(head(), taken)
    seen = journal.state
    return taken
  }
  journal.turn = {
    has() {
      const had = taken
      if (had && !isTaken()) changed()
      return isTaken()
    },
    want() {
      if (wanted) return
      wanted = true
      changed()
    },
  }
  return {
    isTaken,
    waking: () => (wanted ? head() : null),
    give() {
      // For the present state, so that it counts before the driver has continued.
      seen = journal.state
      taken = true
      wanted = false
      journal.world.feed.ring(journal.state.id)
    },
  }
}
