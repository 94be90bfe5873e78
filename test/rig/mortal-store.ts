/**
 * A store whose host dies at one append, before or after it is durable, whichever journal it is of, or at a point
 * inside a step: from then on nothing this host does is written any more. Notes where it could have died.
 */
import type { Store } from '../../src/store/contract.ts'

export class Death extends Error {}

/**
 * `who` names a journal, `seq` is the number of the first event of the append; or `who` is a fault point inside a step
 * (engine/fault), and `seq` says the how many-th time.
 */
export type Cut = { who: string; seq: number; when: 'before' | 'after' }

export function cutName({ who, seq, when }: Cut): string {
  return `${when} ${who}:${seq}`
}

export type Mortal = {
  store: Store
  /** Throws once this host is dead. */
  alive(): void
  fault(point: string): void
  /** Every append there was, and every point inside a step. */
  appends: Omit<Cut, 'when'>[]
}

export function mortalStore(store: Store, cut: Cut | null, nameOf: (id: string) => string): Mortal {
  let isDead = false
  const appends: Mortal['appends'] = []
  const die = () => {
    isDead = true
    throw new Death('The host is dead')
  }
  const alive = () => {
    if (isDead) die()
  }
  const around = <T>(who: string, seq: number, write: () => T): T => {
    alive()
    const isHere = cut !== null && cut.who === who && cut.seq === seq
    if (isHere && cut.when === 'before') die()
    const written = write()
    appends.push({ who, seq })
    if (isHere && cut.when === 'after') die()
    return written
  }
  const times = new Map<string, number>()
  const fault = (point: string) => {
    if (point.startsWith('append:')) return
    const seq = (times.get(point) ?? 0) + 1
    times.set(point, seq)
    around(point, seq, () => null)
  }
  const whileAlive =
    <A extends unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      alive()
      return call(...args)
    }
  const { journals, leases, inbox } = store
  return {
    appends,
    alive,
    fault,
    store: {
      ...store,
      journals: {
        ...journals,
        append: entry => around(nameOf(entry.summary.id), entry.after + 1, () => journals.append(entry)),
        create: first => around(nameOf(first.summary.id), 1, () => journals.create(first)),
      },
      leases: {
        ...leases,
        take: whileAlive(leases.take),
        takeMany: whileAlive(leases.takeMany),
        release: whileAlive(leases.release),
      },
      inbox: { ...inbox, send: whileAlive(inbox.send) },
    },
  }
}
