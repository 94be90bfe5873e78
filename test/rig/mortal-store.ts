/**
 * A store whose host dies at one append, before or after it is durable, whichever journal it is of: from then on
 * nothing this host does is written any more. Counts the appends, so that a test can die at each of them.
 */
import type { Store } from '../../src/store/contract.ts'

export class Death extends Error {}

/** `who` names a journal, `seq` is the number of the first event of the append. */
export type Cut = { who: string; seq: number; when: 'before' | 'after' }

export function cutName({ who, seq, when }: Cut): string {
  return `${when} ${who}:${seq}`
}

export type Mortal = {
  store: Store
  /** Throws once this host is dead. */
  alive(): void
  isDead(): boolean
  /** Every append there was. */
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
  const around = <T>(id: string, seq: number, write: () => T): T => {
    alive()
    const who = nameOf(id)
    const isHere = cut !== null && cut.who === who && cut.seq === seq
    if (isHere && cut.when === 'before') die()
    const written = write()
    appends.push({ who, seq })
    if (isHere && cut.when === 'after') die()
    return written
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
    isDead: () => isDead,
    store: {
      ...store,
      journals: {
        ...journals,
        append: entry => around(entry.summary.id, entry.after + 1, () => journals.append(entry)),
        create: first => around(first.summary.id, 1, () => journals.create(first)),
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
