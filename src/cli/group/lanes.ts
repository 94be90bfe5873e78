/** The rows at the bottom while a group runs in the foreground: one per running loop, at most three. */
import type { GroupKinds } from '../../core/group/machine.ts'
import { openGate } from '../../core/group/state.ts'
import { costTogether, summarizeGroup } from '../../core/group/summary.ts'
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import type { Summary } from '../../core/summary.ts'
import type { Driven } from '../../engine/drive.ts'
import { laneLines } from '../../views/screen/live.ts'
import { stepWord } from '../../views/screen/loop-list.ts'
import type { Input } from '../command-table.ts'
import { liveTerminal } from '../foreground/live.ts'
import { pinRows, terminalColumns } from '../terminal.ts'

type Group = Driven<GroupKinds>

const tickMs = 200

/** `heard`: the current state of a loop of the group. */
export function groupLanes(group: Group, input: Input): { heard(state: State): void; stop(): void } {
  const terminal = liveTerminal(input)
  if (!terminal.tty) return { heard() {}, stop() {} }
  const members = new Map<string, { state: State; word: string; since: number }>()
  let frame = 0
  const timer = setInterval(() => {
    frame += 1
    // A question appears in the place of the rows.
    const isAsking = openGate(group.state) !== null
    pinRows(
      isAsking
        ? []
        : laneLines(lanesOf(group, members), { look: terminal, width: terminalColumns() - 1, frame }),
    )
  }, tickMs)
  timer.unref()
  return {
    heard(state) {
      const word = stepWord(state)
      const before = members.get(state.id)
      members.set(state.id, { state, word, since: before?.word === word ? before.since : performance.now() })
    },
    stop() {
      clearInterval(timer)
      pinRows([])
    },
  }
}

function lanesOf(
  { state: group }: Group,
  members: ReadonlyMap<string, { state: State; word: string; since: number }>,
): Parameters<typeof laneLines>[0] {
  const own = summarizeGroup(group)
  const running: Summary[] = []
  const lanes = group.nodes.flatMap(({ node, member, stage }) => {
    const known = member === null ? undefined : members.get(member)
    if (!known || stage === 'ended' || stage === 'skipped') return []
    const summary = summarize(known.state)
    running.push(summary)
    const { iteration: n, maxIterations: most, criteria } = summary
    const failing = Object.values(criteria).flatMap(({ evidence }) => evidence?.failing ?? [])
    const sinceMs = performance.now() - known.since
    return [
      {
        name: node.id,
        word: known.word,
        sinceMs,
        iteration: n,
        maxIterations: most,
        failing: failing[0] ?? null,
      },
    ]
  })
  // The row of the group counts the loops that have ended.
  const spent = costTogether([{ ...own, iteration: 0 }, ...running])
  return {
    lanes,
    over: own.iteration,
    all: own.maxIterations ?? 0,
    cost: { ...spent, budgetUsd: own.budgetUsd },
  }
}
