/**
 * loopd in tests: started in the foreground of the test, and ended with it; the rig ends what its loops had running.
 * Also a loopd that a command of the test has started.
 */

import { readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { failureWords } from '../../src/failures/words.ts'
import { isRunning, readRecord } from '../../src/server/daemon/record.ts'
import type { Store } from '../../src/store/contract.ts'
import { openStoreToRead } from '../../src/store/sqlite/open.ts'
import { loopdProgram, makeRig, type Rig, type Running, readOr, startArgs, until } from './rig.ts'

export type DaemonRig = Rig & {
  /** Resolves once it serves. */
  startDaemon(env?: NodeJS.ProcessEnv): Promise<Running>
  /** A loop of the background; its id. */
  background(agent: string, promise: string, ...more: string[]): Promise<string>
  status(loop: string): string
  reaches(loop: string, status: string): Promise<void>
}

export function makeDaemonRig(t: Pick<TestContext, 'after'>): DaemonRig {
  const rig = makeRig(t)
  rig.atEnd(() => endDaemon(rig))
  return {
    ...rig,
    async startDaemon(env = {}) {
      const running = rig.spawn(['start', '--foreground'], { program: loopdProgram, env })
      let ended = false
      running.child.once('close', () => {
        ended = true
      })
      await until('loopd to serve', () => ended || running.stderr().includes(`(process ${running.pid})`))
      if (ended) throw new Error(`loopd has ended: ${running.stderr()}`)
      return running
    },
    async background(agent, promise, ...more) {
      const started = await rig.loop([...startArgs(agent, promise, ...more), '-b', '--json'])
      if (started.code !== 0) throw new Error(started.stderr)
      return JSON.parse(started.stdout).id
    },
    status: loop => statusOf(rig, loop),
    reaches: async (loop, status) => {
      await until(`loop ${loop} to be ${status}`, () => statusOf(rig, loop) === status, 30_000)
    },
  }
}

export function statusOf({ paths }: Rig, loop: string): string {
  return withStore(paths, store => {
    const summary = store.heads.get(loop)
    return summary.ok ? summary.value.status : summary.failure.reason
  })
}

/** The living host of a loop. */
export function hostIn({ paths }: Rig, loop: string): string | null {
  return withStore(paths, store => store.leases.hostOf(loop))
}

export function withStore<T>(paths: Rig['paths'], look: (store: Store) => T): T {
  const store = openStoreToRead(paths)
  if (!store.ok) throw new Error(failureWords(store.failure))
  if (!store.value) throw new Error('There is no store yet')
  try {
    return look(store.value)
  } finally {
    store.value.close()
  }
}

/** The same, bypassing the contract, for rows that only a test looks at. */
export function withRows<T>({ database }: Rig['paths'], look: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(database, { readOnly: true, timeout: 5_000 })
  try {
    return look(db)
  } finally {
    db.close()
  }
}

export async function endDaemon({ paths }: Rig): Promise<void> {
  const record = readRecord(paths)
  if (record && isRunning(paths)) process.kill(record.pid, 'SIGKILL')
  while (isRunning(paths)) await delay(5)
}

/** The processes of a loop: of its runs and its hooks, or those with one mark only. */
export function marked(loop: string, names = ['LOOP_RUN', 'LOOP_HOOK']): number[] {
  const isOfIt = (environ: string) => names.some(name => environ.includes(`${name}=${loop}/`))
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && isOfIt(readOr(`/proc/${name}/environ`)))
    .map(Number)
}
