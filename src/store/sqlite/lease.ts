/**
 * Leases: which host drives a journal. A lease names a host and an epoch. A new host may take it only if the lock of
 * the old host is free (store/sqlite/lock); taking it raises the epoch, which every append checks.
 */
import { type Host, LeaseLost, type Leases } from '../contract.ts'
import { type Database, sql, transaction } from './database.ts'
import { isHeld, isHostAlive } from './lock.ts'

export function leasesIn(database: Database): Leases {
  return {
    take: (id, host) => take(database, id, host),
    takeMany: (ids, host) => takeMany(database, ids, host),
    release(id, epoch) {
      sql(database, 'update leases set host = null where loop = ? and epoch = ?').run(id, epoch)
    },
    hostOf(id) {
      const { holder } = leaseOf(database, id)
      return holder !== null && isHostAlive(database.paths, holder) ? holder : null
    },
    finder: () => finder(database),
    prove(id) {
      sql(database, 'update leases set host = host where loop = ?').run(id)
    },
  }
}

function leaseOf(database: Database, id: string): { epoch: number; holder: string | null } {
  const row = sql(database, 'select epoch, host from leases where loop = ?').get(id)
  return { epoch: Number(row?.['epoch'] ?? 0), holder: row?.['host'] == null ? null : String(row['host']) }
}

function take(database: Database, id: string, host: Host): ReturnType<Leases['take']> {
  const { epoch, holder } = leaseOf(database, id)
  if (holder === host.id) return { held: true, epoch }
  if (holder !== null && isHostAlive(database.paths, holder)) return { held: false, by: holder }
  const taken = transaction(database, () => {
    if (leaseOf(database, id).epoch !== epoch) return false
    grant(database, id, { epoch: epoch + 1, host: host.id })
    return true
  })
  // Another host was faster: look again.
  return taken ? { held: true, epoch: epoch + 1 } : take(database, id, host)
}

/** Takes many leases in one transaction: one wait for the disk. */
function takeMany(database: Database, ids: readonly string[], host: Host): void {
  const isHeldBy = askedOnce(database, host.id)
  transaction(database, () => {
    for (const id of ids) {
      const { epoch, holder } = leaseOf(database, id)
      if (holder === null || !isHeldBy(holder)) grant(database, id, { epoch: epoch + 1, host: host.id })
    }
  })
}

function finder(database: Database): ReturnType<Leases['finder']> {
  const isHost = askedOnce(database)
  let hosts: Map<string, string> | null = null
  let daemonRuns: boolean | null = null
  const hostOf = (id: string) => {
    hosts ??= new Map(
      sql(database, 'select loop, host from leases where host is not null')
        .all()
        .map(row => [String(row['loop']), String(row['host'])]),
    )
    const host = hosts.get(id)
    return host !== undefined && isHost(host) ? host : null
  }
  return Object.assign(hostOf, {
    daemonRuns() {
      daemonRuns ??= isHeld(database.paths.daemon.lock)
      return daemonRuns
    },
  })
}

/** Is a host alive? Asked of the kernel once for each host; `self` is. */
function askedOnce({ paths }: Database, self?: string): (host: string) => boolean {
  const known = new Map<string, boolean>(self === undefined ? [] : [[self, true]])
  return host => {
    const alive = known.get(host) ?? isHostAlive(paths, host)
    known.set(host, alive)
    return alive
  }
}

/** The caller has begun a transaction, and knows that the lease is free. */
export function grant(
  database: Database,
  id: string,
  { epoch, host }: { epoch: number; host: string | null },
): void {
  sql(database, 'insert or replace into leases values (?, ?, ?)').run(id, epoch, host)
}

/** The caller has begun a transaction. Throws where another host has the lease now. */
export function assertLease(database: Database, id: string, epoch: number): void {
  const lease = sql(database, 'select epoch from leases where loop = ?').get(id)
  if (lease?.['epoch'] !== epoch) throw new LeaseLost(id)
}
