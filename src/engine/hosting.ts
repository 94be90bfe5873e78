/**
 * Hosts background journals: takes up every started one (after a crash of loopd it attaches to the agents, which
 * kept running), gives turns to queued ones and to those whose wait is over while there is room, and restarts crashed
 * ones. A journal that cannot be driven
 * is left alone for a while and tried again, without delaying the others. All decisions use heads only, of any kind,
 * so a restart makes the same ones again.
 */
import type { Head } from '../core/head.ts'
import type { Status } from '../core/loop/summary.ts'
import type { Kinds } from '../core/machine.ts'
import { inOrder, keepsSlot, untilRestart, wantsHost } from '../core/queue.ts'
import type { Summary } from '../core/summary.ts'
import { ForeignEvents, type Host, LeaseLost, type Store, StoreReplaced } from '../store/contract.ts'
import { isStoreError } from '../store/failures.ts'
import { record } from './ask.ts'
import { type Driven, drive } from './drive.ts'
import type { Feed } from './feed.ts'
import { hostJournal, leaveJournal } from './host.ts'
import type { World } from './world.ts'

type House = {
  store: Store
  host: Host
  feed: Feed
  /** The world of one loop, with the loop's own environment. */
  worldOf(loop: string): World
  now(): number
  /** The limit on concurrently running loops; read each time, since it can be changed meanwhile. */
  limit(): number
  /** Whether new loops may start: there is enough disk space. */
  mayBegin(): boolean
  restartMs: number
  /** A loop (null: the store) could not be used; `givenUp`: it is not tried again. */
  failed(loop: string | null, cause: unknown, givenUp: boolean): void
  /** An earlier failure is over. */
  mended(loop: string | null): void
  /** The store itself is gone: nothing can be hosted any more. */
  lost(error: unknown): void
}

type Held = {
  journal: Driven<Kinds>
  leave: AbortController
  done: Promise<void>
  slot: Slot
}

/** Ended journals are included because their hook can have been interrupted. */
const mayWantHost: Status[] = ['running', 'waiting', 'completed', 'failed']
/** After this many consecutive failures that are not the store's, a loop is left to its user. */
const mostFailures = 5
const firstBackoffMs = 1_000
const longestBackoffMs = 30_000
/** This many start before other work gets a turn. */
const atOnce = 8

export type Hosting = {
  /** Looks at the store for something to do; concurrent calls are merged. */
  look(): void
  /** The journals that it drives, or those of one kind. */
  running(kind?: string): string[]
  /** The loops that have a slot: those that it drives and that do not wait. */
  working(): string[]
  /** Starts nothing new; resolves when every loop has finished its iteration and been released. */
  finish(): Promise<void>
  /** Releases every loop now; agents continue by themselves. */
  leave(): Promise<void>
}

type Hosts = {
  house: House
  held: Map<string, Held>
  shunned: Map<string, { until: number; failures: number }>
  open: boolean
  looking: Promise<void> | null
  /** Something has happened since the last look began. */
  again: boolean
  /** The timer for the next restart of a crashed loop; further ones are handled by a later look. */
  wake: NodeJS.Timeout | null
}

export function hostLoops(house: House): Hosting {
  const hosts: Hosts = {
    house,
    held: new Map(),
    shunned: new Map(),
    open: true,
    looking: null,
    again: false,
    wake: null,
  }
  // Members of a group are queued by this process, and no other notification covers them.
  house.feed.subscribe({ of: 'loop' }, ({ event }) => {
    if (event.kind === 'loop.queued') look(hosts)
  })
  return {
    look: () => look(hosts),
    running: kind =>
      [...hosts.held]
        .filter(([, one]) => kind === undefined || one.journal.machine.kind === kind)
        .map(([id]) => id),
    working: () => [...hosts.held].filter(([, { slot }]) => slot.isTaken()).map(([id]) => id),
    finish: () =>
      end(hosts, one => {
        one.journal.finishing = true
      }),
    leave: () => end(hosts, one => one.leave.abort()),
  }
}

function look(hosts: Hosts): void {
  hosts.again = true
  hosts.looking ??= looks(hosts).finally(() => {
    hosts.looking = null
  })
}

async function looks(hosts: Hosts): Promise<void> {
  while (hosts.again && hosts.open) {
    hosts.again = false
    try {
      await lookOnce(hosts)
      hosts.house.mended(null)
    } catch (error) {
      // The store could not be read; the next look, in a few seconds, tries again.
      if (error instanceof StoreReplaced) hosts.house.lost(error)
      else hosts.house.failed(null, error, false)
    }
  }
}

async function lookOnce(hosts: Hosts): Promise<void> {
  const { house, held } = hosts
  const now = house.now()
  const free = house.store.heads
    .open('crashed')
    .filter(({ id }) => !held.has(id) && (hosts.shunned.get(id)?.until ?? 0) <= performance.now())
  const crashed = readAll(hosts, free, ['crashed'])
  const begun = [...readAll(hosts, free, mayWantHost), ...crashed].filter(wantsHost)
  // A thousand loops after a crash need one wait for the disk instead of a thousand.
  if (begun.length > 1)
    house.store.leases.takeMany(
      Array.from(begun, ({ id }) => id),
      house.host,
    )
  for await (const summary of inTurns(begun)) take(hosts, summary.id, () => true)
  for (const summary of crashed) startAgain(hosts, summary, now)
  if (isFull(hosts) || !house.mayBegin()) return
  const waking = [...held.values()].flatMap(({ slot }) => slot.waking() ?? [])
  for await (const head of inTurns(inOrder(readAll(hosts, free, ['queued']), waking))) {
    if (isFull(hosts) || !hosts.open) return
    if (head.status !== 'queued') held.get(head.id)?.slot.give()
    else if (!house.store.heads.ahead(head))
      take(hosts, head.id, loop => record(loop, { kind: 'dequeue' }).ok)
  }
}

/** The limit on concurrent loops is reached. */
function isFull({ held, house }: Hosts): boolean {
  const limit = house.limit()
  return held.size >= limit && [...held.values()].filter(({ slot }) => slot.isTaken()).length >= limit
}

function readAll(hosts: Hosts, rows: { id: string; status: Status }[], wanted: Status[]): Summary[] {
  return rows
    .filter(({ status }) => wanted.includes(status))
    .flatMap(({ id }) => {
      const summary = hosts.house.store.heads.get(id)
      if (summary.ok) return summary.value
      shun(hosts, id, summary.failure)
      return []
    })
}

/** Hosts a journal if nobody else does; `enter` can still refuse. */
function take(hosts: Hosts, id: string, enter: (journal: Driven<Kinds>) => boolean): void {
  const { house, held } = hosts
  try {
    // Checks that the store is writable: on a disk that is still full, the journal would be hosted and fail at its
    // next step.
    if (hosts.shunned.has(id)) house.store.leases.prove(id)
    const hosted = hostJournal(house.worldOf(id), id)
    if (!hosted.ok) return shun(hosts, id, hosted.failure)
    if ('hostedBy' in hosted.value) return house.mended(id)
    const journal = hosted.value.driven
    if (!hosts.open || !enter(journal)) return leaveJournal(journal)
    house.mended(id)
    const leave = new AbortController()
    const slot = slotFor(journal, () => look(hosts))
    held.set(id, { journal, leave, slot, done: driven(hosts, journal, leave.signal) })
  } catch (error) {
    shun(hosts, id, error)
  }
}

async function driven(hosts: Hosts, journal: Driven<Kinds>, leave: AbortSignal): Promise<void> {
  const { id } = journal.state
  try {
    await drive(journal, leave)
    leaveJournal(journal)
    hosts.shunned.delete(id)
  } catch (error) {
    if (error instanceof StoreReplaced) hosts.house.lost(error)
    else if (!(error instanceof LeaseLost)) {
      letGo(journal)
      shun(hosts, id, error)
    }
  } finally {
    hosts.held.delete(id)
    look(hosts)
  }
}

/**
 * Releases the journal so that its user can resume or cancel it meanwhile: a host that does not drive it would never
 * answer.
 */
function letGo(journal: Driven<Kinds>): void {
  try {
    leaveJournal(journal)
  } catch {
    return // the store cannot be written: the lease is taken again with the loop, or ends with loopd
  }
}

function startAgain(hosts: Hosts, summary: Summary, now: number): void {
  const priority = summary.background
  const ms = untilRestart(summary, hosts.house.restartMs, now)
  if (!priority || ms === null) return
  if (ms > 0) {
    hosts.wake ??= setTimeout(() => {
      hosts.wake = null
      look(hosts)
    }, ms)
    return
  }
  take(hosts, summary.id, loop => {
    // A kind that cannot be restarted refuses, and must not be asked forever.
    if (record(loop, { kind: 'restart' }).ok) hosts.again = true
    return false
  })
}

/** Leaves a loop alone: for a while if the cause can disappear by itself, otherwise until loopd is restarted. */
function shun(hosts: Hosts, id: string, cause: unknown): void {
  const { house, shunned } = hosts
  const known = shunned.get(id)?.failures ?? 0
  const failures = mayPass(cause) ? known : known + 1
  const givenUp = isFailure(cause) || failures >= mostFailures
  const wait = Math.min(longestBackoffMs, firstBackoffMs * 2 ** failures)
  shunned.set(id, { until: givenUp ? Number.POSITIVE_INFINITY : performance.now() + wait, failures })
  house.failed(id, cause, givenUp)
}

/** A full disk, a locked store, unopenable files: none of these is the loop's fault. */
function mayPass(cause: unknown): boolean {
  const { code, syscall } = (cause ?? {}) as NodeJS.ErrnoException
  return isStoreError(cause) || (code !== undefined && syscall !== undefined)
}

/** Damage is permanent. */
function isFailure(cause: unknown): boolean {
  return !(cause instanceof Error) || cause instanceof ForeignEvents
}

async function end(hosts: Hosts, each: (one: Held) => void): Promise<void> {
  hosts.open = false
  if (hosts.wake) clearTimeout(hosts.wake)
  await hosts.looking
  for (const [id, one] of hosts.held) {
    each(one)
    hosts.house.feed.ring(id)
  }
  await Promise.all([...hosts.held.values()].map(({ done }) => done))
}

/** Yields one after the other, with turns for other work in between. */
async function* inTurns<T>(summaries: T[]): AsyncGenerator<T> {
  for (const [i, summary] of summaries.entries()) {
    if (i % atOnce === atOnce - 1) await new Promise(resolve => setImmediate(resolve))
    yield summary
  }
}

/**
 * The slot of one hosted journal: its right to start agents, of which a host gives only so many at once. A wait gives it
 * up; the end of a wait asks for another one (`turn` in engine/drive). engine/hosting decides who gets one.
 */
type Slot = {
  isTaken(): boolean
  /** The head of a journal that has no slot and could continue with one; otherwise null. */
  waking(): Head | null
  give(): void
}

/** `changed`: a slot is free again, or one more is wanted. */
function slotFor(journal: Driven<Kinds>, changed: () => void): Slot {
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
