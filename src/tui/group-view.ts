/**
 * A group on the screen: its nodes, beside the tabs of its program, and its keys, each of which runs a command of loop. Keys
 * for one loop act on the selected node; enter opens it.
 *
 * The tabs of a group, by its program: which tabs there are, the rows in the window, and the selection in the list.
 */
import { checkpointOf, type GroupState } from '../core/group/state.ts'
import type { GroupSummary } from '../core/group/summary.ts'
import { safeLine, safeText } from '../core/text/plain-text.ts'
import { type WatchedGroup, watchedGroup } from '../engine/watched.ts'
import { failureWords } from '../failures/words.ts'
import { fail, type Result } from '../model/failure.ts'
import { redactAll } from '../secrets/redact.ts'
import type { Store } from '../store/contract.ts'
import { folded } from '../views/layout/columns.ts'
import { askedRows, filledTo, footOf, type ScreenFrame, type Size } from '../views/screen/frame.ts'
import { groupHead } from '../views/screen/head.ts'
import { ink, type Look, sign } from '../views/screen/look.ts'
import { groupSays, screenSays } from '../views/screen/messages.ts'
import { graphRows, laneRows, type NodeLine, nodeLine, nodeMark } from '../views/screen/nodes.ts'
import { headIn, isTooSmall, panesFrame, shapeOf, tooSmallFrame } from '../views/screen/panes.ts'
import { findingDetail, findingLine, type PlanSight, planRows, planSight } from '../views/screen/plan.ts'
import { farewellLines, groupHelp, groupKeyWords } from '../views/screen/watch-words.ts'
import { comparisonTable } from '../views/text/compare.ts'
import { programWords } from '../views/words/group.ts'
import { findingDialog, groupQuestion, loopQuestion } from './answering.ts'
import { asked, choiceDialog, lineDialog } from './dialog.ts'
import { askCancel, type PreviewSource, type RollbackFiles } from './rollback-question.ts'
import type { KeyPress } from './screen.ts'
import { type About, moveKeys, type ScreenView, type Shell } from './view.ts'

type Standing = {
  /** Without secrets, to be shown. */
  group: WatchedGroup | null
  /** As it is recorded. */
  state: GroupState | null
  plan: PlanSight | null
  lines: NodeLine[]
  /** The selected node; null: the node that is at work. */
  selected: number | null
  finding: number
  tab: number
  /** How many rows are scrolled off above the window. */
  top: number
  seen: string
}

export function groupView(id: string, sources: PreviewSource, shell: Shell): ScreenView {
  const at: Standing = {
    group: null,
    state: null,
    plan: null,
    lines: [],
    selected: null,
    finding: 0,
    tab: 0,
    top: 0,
    seen: '',
  }
  const sight = () => ({ ...at, selected: at.lines[selectedOf(at)] })
  const preview = (name: string) => previewOf(at, name, sources)
  const keys = { ...groupActions(sight, { id, shell, preview }), ...selections(at, shell) }
  const read = watchedGroup(id)
  return {
    look(store: Store) {
      const known = read(store)
      if (!known.ok) throw new Error(failureWords(known.failure))
      return isNews(at, known.value, shell)
    },
    frame: (size, about) => frameOf(at, size, about),
    key(key: KeyPress) {
      const action = keys[key.text] ?? keys[key.name]
      if (!key.ctrl && !key.pasted) action?.()
    },
    farewell: () => (at.group ? farewellLines(at.group.shown, shell.now()) : []),
    close() {},
  }
}

/** Takes a newly read group in; true if anything visible changed. */
function isNews(at: Standing, known: WatchedGroup, shell: Shell): boolean {
  const members = known.shown.members?.map(({ summary, orphaned }) => [summary.seq, orphaned])
  const seen = JSON.stringify([known.state.seq, known.shown.orphaned, members])
  if (seen === at.seen) return false
  at.seen = seen
  at.state = known.state
  at.group = redactAll(known, shell.secrets)
  at.plan = planSight(at.group.state)
  at.lines = linesOf(at.group)
  return true
}

async function previewOf({ state }: Standing, name: string, { preview }: PreviewSource) {
  if (!state) return fail('not-allowed', { kind: 'nothing-to-bring-back', name })
  const spec = { cwd: state.spec.cwd, checkpoint: 'git' as const }
  return preview({ id: state.id, spec, name, tree: checkpointOf(state, name) })
}

function linesOf({ summary, shown }: WatchedGroup): NodeLine[] {
  const byId = new Map((shown.members ?? []).map(one => [one.summary.id, one]))
  return summary.nodes.map(node => ({
    node,
    member: node.member === null ? undefined : byId.get(node.member),
  }))
}

function tabsOf({ group }: Standing): GroupTab[] {
  return groupTabs(group?.summary.program)
}

function tabOf(at: Standing): GroupTab {
  return tabsOf(at)[at.tab] ?? 'Graph'
}

/**
 * The selected node before the person selects one: the first attempt, else the newest node that runs, rests or asks.
 */
function selectedOf({ selected, lines, group }: Standing): number {
  if (selected !== null) return selected
  if (group?.summary.program === 'best-of') return 0
  const isNow = ({ node: { stage } }: NodeLine) => stage === 'started' || stage === 'rested'
  const now = lines.findLastIndex(isNow)
  return Math.max(0, now === -1 ? lines.findLastIndex(({ node }) => node.stage !== 'planned') : now)
}

function within(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index))
}

function selections(at: Standing, shell: Shell): Record<string, () => void> {
  const by = (many: number) => () => {
    if (tabOf(at) === 'Findings') {
      at.finding = within(at.finding + many, at.plan?.findings.length ?? 0)
      at.top = 0
    } else at.selected = within(selectedOf(at) + many, at.lines.length)
  }
  const toTab = (index: number) => () => {
    if (index >= tabsOf(at).length) return
    at.tab = index
    at.top = 0
  }
  const turn = (many: number) => () => toTab((at.tab + many + tabsOf(at).length) % tabsOf(at).length)()
  const page = (many: number) => () => {
    at.top = Math.max(0, at.top + many)
  }
  const enter = () => opened(at, shell)
  return {
    ...moveKeys({ by, page: pages => page(10 * pages) }),
    tab: turn(1),
    right: turn(1),
    left: turn(-1),
    return: enter,
    enter,
    '1': toTab(0),
    '2': toTab(1),
    '3': toTab(2),
  }
}

/** Opens the selected loop, or asks for the answer to the selected finding. */
function opened(at: Standing, shell: Shell): void {
  const { group, plan, finding } = at
  if (tabOf(at) === 'Findings') {
    const one = plan?.findings[finding]
    if (!group || !one) return shell.say(groupSays.noFindings)
    if (group.summary.endedAt !== null) return shell.say(groupSays.noDecision)
    return shell.ask(findingDialog(group.summary.id, one, shell))
  }
  const member = at.lines[selectedOf(at)]?.node.member ?? null
  if (member === null) shell.say(groupSays.noLoop)
  else shell.enter(member)
}

function frameOf(at: Standing, size: Size, about: About): ScreenFrame {
  const { group, plan, lines } = at
  if (!group || isTooSmall(size)) return tooSmallFrame(size)
  const { look, now, dialog, stale } = about
  const { shown, summary } = group
  const tab = tabOf(at)
  const question = dialog && asked(dialog, look, { columns: size.columns, help: groupHelp(summary.program) })
  const facts = { shown, now, program: programWords(summary), stale }
  const head = headIn(groupHead(facts, look, size.columns), size, question !== null)
  const keys = groupKeyWords(shown, tab === 'Findings')
  const foot = footOf({ asked: question, message: about.message, keys }, look, size)
  const { body } = shapeOf(size, { head: head.length, foot: foot.rows.length })
  const own = askedRows(question, look, body)
  const finding = within(at.finding, plan?.findings.length ?? 0)
  const rows = own ?? groupRows(tab, { group, plan, lines, finding }, { look, now, width: body.width })
  at.top = Math.min(at.top, Math.max(0, rows.length - body.height))
  const selected = tab === 'Findings' ? finding : selectedOf(at)
  const last = Math.min(rows.length, at.top + body.height)
  return panesFrame(
    {
      head,
      list: groupList(tab, { group, plan, lines }, { look, now, selected }),
      tabs: {
        names: tabsOf(at),
        selected: at.tab,
        info: rows.length > body.height ? `${at.top + 1}-${last} of ${rows.length}` : '',
      },
      body: filledTo(own ?? rows.slice(at.top), body.height),
      foot,
    },
    look,
    size,
  )
}

type GroupSight = {
  group: WatchedGroup | null
  plan: PlanSight | null
  lines: NodeLine[]
  /** The selected node. */
  selected: NodeLine | undefined
}

type Acting = { id: string; shell: Shell; preview(to: string): Promise<Result<RollbackFiles>> }

function groupActions(sight: () => GroupSight, { id, shell, preview }: Acting): Record<string, () => void> {
  const { run } = shell
  return {
    p: () => run('pause', id),
    r: () => run('resume', id, '-b'),
    a: () => answer(sight(), shell),
    i: () => {
      const { node, member } = sight().selected ?? {}
      if (!node || !member) return shell.say(groupSays.noLoopToTell)
      const told = member.summary.id
      shell.ask(lineDialog({ label: screenSays.tell(node.id) }, text => run('inject', told, '--', text)))
    },
    t: () => {
      const { group, selected } = sight()
      const { node } = selected ?? {}
      if (group?.summary.program !== 'best-of') return shell.say(groupSays.noBestOf)
      if (node?.kind !== 'loop') return shell.say(groupSays.noAttempt)
      const keys = [{ key: 'y', word: groupSays.take(node.id), act: () => run('pick', id, node.id) }]
      shell.ask(choiceDialog(groupSays.takeQuestion(node.id), [], keys))
    },
    x: () => {
      const ends = sight().lines.flatMap(({ node }) =>
        node.stage === 'started' && node.kind === 'loop' ? [groupSays.cancelEnd(node.id, node.member)] : [],
      )
      const label = groupSays.cancel(id)
      const more = ends.length > 0 ? [groupSays.cancelEnds, ...ends] : []
      askCancel({ id, shell, label, more, preview })
    },
  }
}

/** The question of the group; else the question of the selected loop; else that of the first loop with one. */
function answer({ group, plan, lines, selected }: GroupSight, shell: Shell): void {
  const own = group && groupQuestion(group.state, plan, shell)
  const members = [...(selected ? [selected] : []), ...lines].flatMap(({ member }) => member?.summary ?? [])
  const asking = members.find(({ question }) => question !== null)
  const dialog = own ?? (asking ? loopQuestion(asking, shell) : null)
  if (dialog) shell.ask(dialog)
  else shell.say(screenSays.asksNothing(screenSays.theGroup))
}

type GroupTab = 'Lanes' | 'Compare' | 'Graph' | 'Tasks' | 'Findings'

const tabs: Record<string, GroupTab[]> = {
  'best-of': ['Lanes', 'Compare', 'Graph'],
  workflow: ['Graph', 'Lanes'],
  plan: ['Tasks', 'Findings', 'Graph'],
}

function groupTabs(program: string | undefined): GroupTab[] {
  return tabs[program ?? ''] ?? ['Lanes', 'Graph']
}

type Window = { look: Look; width: number; now: number }

type Sight = { group: WatchedGroup; plan: PlanSight | null; lines: NodeLine[]; finding: number }

/** The rows of the window, below the open question of the group. */
function groupRows(tab: GroupTab, sight: Sight, window: Window): string[] {
  const { look, width } = window
  const { question } = sight.group.summary
  const asks =
    question === null || tab === 'Findings'
      ? []
      : [
          ink(look, 'yellow', groupSays.asksYou),
          ...safeText(question)
            .split('\n')
            .flatMap(row => folded(`  ${row}`, width)),
          '',
        ]
  return [...asks, ...tabRows(tab, sight, window)]
}

function tabRows(tab: GroupTab, { group, plan, lines, finding }: Sight, window: Window): string[] {
  const { look, width } = window
  const { state, summary } = group
  switch (tab) {
    case 'Lanes':
      return laneRows(lines, { ...window, state, summary })
    case 'Compare':
      return comparisonRows(comparisonTable(state, width).map(safeLine), width)
    case 'Graph':
      return graphRows(lines, state, look)
    case 'Tasks':
      return plan ? planRows(plan, { ...window, lines }) : []
    case 'Findings': {
      const one = plan?.findings[finding]
      if (one) return findingDetail(one, look, width)
      return [groupSays.nothingFound]
    }
  }
}

/** The sentences below the table are broken between words; the table is cut where it is too wide. */
function comparisonRows(rows: string[], width: number): string[] {
  const end = rows.indexOf('')
  return rows.flatMap((row, i) => (i < end ? [row] : folded(row, width)))
}

/** The list beside the window: the nodes, or the findings. */
function groupList(
  tab: GroupTab,
  { group, plan, lines }: Omit<Sight, 'finding'>,
  { look, now, selected }: { look: Look; now: number; selected: number },
) {
  const isFindings = tab === 'Findings'
  const rows = (width: number) =>
    isFindings
      ? (plan?.findings ?? []).map(one => findingLine(one, look, width))
      : lines.map(line => nodeLine(line, { look, width, now, chosen: isChosen(group.summary, line) }))
  const words = isFindings
    ? (plan?.findings ?? []).map(({ file, line }) => `${file}:${line}`)
    : lines.map(line => `${sign(look, nodeMark(line).sign).slice(0, 1)}${line.node.id}`)
  return {
    title: isFindings ? 'FINDINGS' : 'NODES',
    rows: (width: number) =>
      rows(width).map((row, i) =>
        i === selected ? ink(look, 'bold', row.replace(/^ /, sign(look, 'cursor'))) : row,
      ),
    selected,
    strip: (width: number) => stripOf(words, selected, { look, width }),
  }
}

function isChosen({ winner, inTree }: GroupSummary, { node: { id } }: NodeLine): boolean {
  return winner === id || inTree === id
}

/** The list as one row, for narrow terminals. The selected entry is in brackets and always visible. */
function stripOf(
  words: readonly string[],
  selected: number,
  { look, width }: { look: Look; width: number },
): string {
  const cells = words.map((word, i) => (i === selected ? ink(look, 'bold', `[${word}]`) : ` ${word} `))
  let from = 0
  while (from < selected && words.slice(from, selected + 1).join('  ').length + 2 > width) from += 1
  return cells.slice(from).join('')
}
