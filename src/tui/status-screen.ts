/** `loop status -w` on a terminal: all loops, those that need a person first. Keys act on the selected loop. */

import { type ListSort, listSorts } from '../core/attention.ts'
import { isOpen } from '../core/loop/summary.ts'
import type { WatchedRow } from '../documents/loop.ts'
import { type FailingSeries, failingIn } from '../engine/shown/failing.ts'
import { listPage } from '../engine/shown/listing.ts'
import { redactAll } from '../secrets/redact.ts'
import type { Store } from '../store/contract.ts'
import { screenSays } from '../views/screen/messages.ts'
import { type StatusRow, statusFrame, statusHelp } from '../views/screen/status.ts'
import { asked, lineDialog } from './dialog.ts'
import { runScreen } from './program.ts'
import type { KeyPress } from './screen.ts'
import type { ScreenView, Shell } from './view.ts'
import { moveKeys } from './view.ts'
import { type Watching, wayInto } from './watch-screen.ts'

export type StatusWatching = Omit<Watching, 'id'> & { here: string | null; home: string | null }

type Standing = {
  rows: StatusRow[]
  counts: Record<string, number>
  /** The id of the selected loop. An index would not do: rows move. */
  selected: string | null
  sort: ListSort
  filter: string
  seen: string
  lookedAt: number
}

const mostRows = 500
/** The shortest time between two reads of the list, which may have thousands of rows. */
const restMs = 400

export function statusScreen(watching: StatusWatching): Promise<string[]> {
  return runScreen({ ...watching, enter: wayInto(watching), first: shell => statusView(watching, shell) })
}

function statusView({ here, home }: StatusWatching, shell: Shell): ScreenView {
  const at: Standing = {
    rows: [],
    counts: {},
    selected: null,
    sort: 'attention',
    filter: '',
    seen: '',
    lookedAt: 0,
  }
  const keys = { ...moves(at), ...statusActions(at, shell) }
  let known: { store: Store; failing: FailingSeries } | null = null
  return {
    look(store) {
      if (shell.now() - at.lookedAt < restMs) return false
      at.lookedAt = shell.now()
      if (known?.store !== store) known = { store, failing: failingIn(store) }
      return read(at, store, { now: shell.now(), failing: known.failing, secrets: shell.secrets })
    },
    frame: (size, about) =>
      statusFrame(
        {
          ...about,
          ...at,
          place: { here, home },
          selected: indexOf(at),
          asked: about.dialog && asked(about.dialog, about.look, { columns: size.columns, help: statusHelp }),
        },
        size,
      ),
    key(key: KeyPress) {
      if (!key.ctrl) (keys[key.text] ?? keys[key.name])?.()
    },
    farewell: () => [farewell(at)],
    close() {},
  }
}

type Reading = Parameters<typeof listPage>[2] & Pick<Shell, 'secrets'>

/** Reads the list; true if anything changed. */
function read(at: Standing, store: Store, { now, failing, secrets }: Reading): boolean {
  const wish = { sort: at.sort, isAscending: false, limit: mostRows, after: null, search: at.filter }
  const page = listPage(store, wish, { now, failing })
  const seen = JSON.stringify([
    at.sort,
    at.filter,
    page.rows.map(({ id, seq, section }) => [id, seq, section]),
  ])
  const isNews = seen !== at.seen || page.rows.some(({ status }) => status === 'running')
  at.seen = seen
  at.rows = redactAll(page.rows.flatMap(linesOf), secrets)
  at.counts = page.counts.sections
  at.selected ??= at.rows[0]?.id ?? null
  return isNews
}

function linesOf(row: WatchedRow): StatusRow[] {
  const { members = [] } = row
  return [
    { ...row, depth: 0, node: null },
    ...members.map(member => ({ ...member, depth: 1, node: member.node })),
  ]
}

function indexOf({ rows, selected }: Standing): number {
  return Math.max(
    0,
    rows.findIndex(({ id }) => id === selected),
  )
}

function moves(at: Standing): Record<string, () => void> {
  const by = (many: number) => () => {
    const to = Math.max(0, Math.min(at.rows.length - 1, indexOf(at) + many))
    at.selected = at.rows[to]?.id ?? null
  }
  return moveKeys({ by, page: pages => by(15 * pages) })
}

function statusActions(at: Standing, shell: Shell): Record<string, () => void> {
  const now = (change: Partial<Standing>) => {
    Object.assign(at, change, { lookedAt: 0 })
    shell.refresh()
  }
  const withLoop = (act: (row: StatusRow) => void) => () => {
    const row = at.rows[indexOf(at)]
    if (row) act(row)
  }
  const enter = withLoop(({ id }) => shell.enter(id))
  return {
    return: enter,
    enter,
    p: withLoop(({ id }) => shell.run('pause', id)),
    // The screen of the loop asks for a higher limit.
    r: withLoop(row => (isUsedUp(row) ? shell.enter(row.id, 'r') : shell.run('resume', row.id, '-b'))),
    i: withLoop(({ id }) =>
      shell.ask(lineDialog({ label: screenSays.tell(id) }, text => shell.run('inject', id, '--', text))),
    ),
    // The screen of the loop knows which answers there are.
    a: withLoop(({ id, question }) =>
      question === null ? shell.say(screenSays.asksNothing(id)) : shell.enter(id, 'a'),
    ),
    // The screen of the loop names the files in its question.
    x: withLoop(({ id, status }) =>
      isOpen(status) ? shell.enter(id, 'x') : shell.say(screenSays.ended(id, status)),
    ),
    '/': () =>
      at.filter === ''
        ? shell.ask(lineDialog({ label: screenSays.filter }, filter => now({ filter, selected: null })))
        : now({ filter: '', selected: null }),
    S: () => now({ sort: listSorts[(listSorts.indexOf(at.sort) + 1) % listSorts.length] ?? 'attention' }),
  }
}

function isUsedUp({ status, iteration, maxIterations }: StatusRow): boolean {
  return status === 'failed' && maxIterations !== null && iteration >= maxIterations
}

function farewell({ counts }: Standing): string {
  const parts = Object.entries(counts).flatMap(([name, count]) =>
    count > 0 ? [`${count} ${name === 'attention' ? 'need you' : name}`] : [],
  )
  return parts.length === 0 ? 'No loops.' : `loops: ${parts.join(', ')}`
}
