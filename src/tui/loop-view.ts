/**
 * One loop on the screen: the selected iteration and tab, the lines in the window, and the keys. Those that act run an
 * ordinary command of loop, so refusals have the same words as in a shell; a cancel and a rollback are confirmed first
 * (rollback-question).
 */

import { join } from 'node:path'
import { treeOf } from '../core/loop/parts/tree.ts'
import type { Summary } from '../core/summary.ts'
import { contextOfRun, type Watched, watchedLoop } from '../engine/watched.ts'
import { failureWords } from '../failures/words.ts'
import type { ContextUse } from '../model/agent.ts'
import { fail, type Result } from '../model/failure.ts'
import { checkpointName } from '../model/units.ts'
import { redactAll } from '../secrets/redact.ts'
import type { Store } from '../store/contract.ts'
import { loopDir, type Paths } from '../store/files/paths.ts'
import { stepWord } from '../views/screen/loop-list.ts'
import { loopFrame } from '../views/screen/loop-panes.ts'
import { loopSays, screenSays } from '../views/screen/messages.ts'
import { farewellLines, loopHelp } from '../views/screen/watch-words.ts'
import { neededFlags } from '../views/words/reasons.ts'
import { loopQuestion } from './answering.ts'
import { asked, choiceDialog, lineDialog } from './dialog.ts'
import { openTab, type TabName, type TabSources, tabNames } from './loop-tabs.ts'
import { askCancel, askRollback, type PreviewSource, type RollbackFiles } from './rollback-question.ts'
import type { KeyPress } from './screen.ts'
import type { ScreenView, Shell } from './view.ts'
import { type PagedWindow, pagedWindow } from './window.ts'

/** What the view reads from outside of the journal and its files. */
export type LoopSources = PreviewSource & {
  /** The sources of the tabs of one loop. */
  tabs(watched: Watched): Omit<TabSources, 'changed'>
}

type Standing = {
  watched: Watched | null
  /** The selected iteration, 0 for the baseline; null: the newest. */
  selected: number | null
  tab: TabName
  stream: 'out' | 'err'
  /** The step that is under way, and when it began. */
  step: { word: string; since: number }
  /** Reads how full the context of the current run is; `dir` is the directory of that run. */
  context: { dir: string; read(): ContextUse | null } | null
}

export function loopView(id: string, sources: LoopSources, shell: Shell): ScreenView {
  const pages = pagedWindow(shell)
  const at: Standing = {
    watched: null,
    selected: null,
    tab: 'Output',
    stream: 'out',
    step: { word: '', since: 0 },
    context: null,
  }
  const open = opening(at, pages, { sources, shell })
  const select = (change: Partial<Standing>) => {
    Object.assign(at, change)
    open(false)
  }
  const preview = (name: string) => previewOf(at, name, sources)
  const acting = { id, shell, preview, selected: () => selectedOf(at) }
  const keys = { ...selections(at, select), ...loopActions(() => at.watched, acting) }
  const look = looking(id, at, shell)
  return {
    look(store) {
      const isNews = look(store)
      if (isNews && at.watched) at.context = contextOf(at, sources.tabs(at.watched).paths)
      open(isNews && at.tab !== 'Output')
      return pages.look() || isNews
    },
    frame(size, about) {
      const { watched, tab, stream } = at
      if (!watched) return { rows: [], cursor: null }
      const scene = {
        ...about,
        loop: watched,
        selected: selectedOf(at),
        doing: doingOf(at, about.now),
        context: at.context?.read() ?? null,
        tabs: tabNames,
        tab,
        info: () =>
          [tab === 'Output' && stream === 'err' ? 'stderr' : '', pages.info()].filter(Boolean).join(', '),
        rows: pages.rows,
        found: pages.found(),
        asked: about.dialog && asked(about.dialog, about.look, { columns: size.columns, help: loopHelp }),
      }
      return loopFrame(scene, size)
    },
    key(key: KeyPress) {
      const action = key.ctrl ? undefined : (keys[key.text] ?? keys[key.name])
      if (action) action()
      else pages.key(key)
    },
    farewell: () => (at.watched ? farewellLines(at.watched.shown, shell.now()) : []),
    close: pages.close,
  }
}

async function previewOf({ watched }: Standing, name: string, { preview }: PreviewSource) {
  if (!watched) return fail('not-allowed', { kind: 'nothing-to-bring-back', name })
  const { id, spec, tree } = watched.state
  return preview({ id, spec, name, tree: treeOf(tree.checkpoints, name) })
}

/** Reads new events; true if there are any. */
function looking(id: string, at: Standing, shell: Shell): (store: Store) => boolean {
  const read = watchedLoop(id)
  return store => {
    const known = read(store)
    if (!known.ok) throw new Error(failureWords(known.failure))
    const { state, events, shown } = known.value
    const isNews = at.watched?.state !== state || at.watched.shown.orphaned !== shown.orphaned
    if (isNews) at.watched = { ...known.value, events: [...events], shown: redactAll(shown, shell.secrets) }
    const word = stepWord(state)
    if (word !== at.step.word) at.step = { word, since: shell.now() }
    return isNews
  }
}

function contextOf({ watched, context }: Standing, paths: Paths): Standing['context'] {
  const run = watched?.state.work.stage === 'running' ? watched.iterations.at(-1)?.runs.at(-1) : undefined
  if (!watched || !run) return null
  const dir = join(loopDir(paths, watched.state.id), run.dir)
  return context?.dir === dir ? context : { dir, read: contextOfRun({ dir, agent: run.agent }) }
}

/** Opens the selected tab, unless it is open already. */
function opening(
  at: Standing,
  pages: PagedWindow,
  { sources, shell }: { sources: LoopSources; shell: Shell },
): (anew: boolean) => void {
  return anew => {
    const { watched, tab, stream } = at
    if (!watched) return
    const n = selectedOf(at)
    const runs = watched.iterations[n - 1]?.runs.length ?? 0
    const name = tab === 'Output' ? `${tab} ${n} ${stream} ${runs}` : `${tab} ${n}`
    const tabs = { ...sources.tabs(watched), changed: shell.refresh }
    pages.show(name, () => openTab(tab, { watched, n, stream }, tabs), anew)
  }
}

function selectedOf({ watched, selected }: Standing): number {
  return selected ?? watched?.iterations.length ?? 0
}

function selections(at: Standing, select: (change: Partial<Standing>) => void): Record<string, () => void> {
  const last = () => at.watched?.iterations.length ?? 0
  const to = (n: number) => select({ selected: n >= last() ? null : Math.max(0, n) })
  const turn = (by: number) => {
    const index = tabNames.indexOf(at.tab) + by + tabNames.length
    select({ tab: tabNames[index % tabNames.length] ?? 'Output' })
  }
  return {
    '[': () => to(selectedOf(at) - 1),
    ']': () => to(selectedOf(at) + 1),
    tab: () => turn(1),
    right: () => turn(1),
    left: () => turn(-1),
    d: () => select({ tab: 'Diff' }),
    e: () => select({ tab: 'Output', stream: at.stream === 'out' ? 'err' : 'out' }),
    ...Object.fromEntries(tabNames.map((tab, i) => [String(i + 1), () => select({ tab })])),
  }
}

function doingOf({ step, watched }: Standing, now: number): { what: string; sinceMs: number } | null {
  if (step.word === '' || !watched || watched.shown.orphaned) return null
  const { status } = watched.shown.summary
  if (status !== 'running' && status !== 'waiting') return null
  return { what: step.word, sinceMs: Math.max(0, now - step.since) }
}

type Acting = {
  id: string
  shell: Shell
  selected(): number
  preview(to: string): Promise<Result<RollbackFiles>>
}

function loopActions(watched: () => Watched | null, acting: Acting): Record<string, () => void> {
  const { id, shell } = acting
  const { run } = shell
  const summary = () => watched()?.shown.summary
  const about = { id, shell, preview: acting.preview }
  return {
    p: () => run('pause', id),
    r: () => resume(summary(), acting),
    i: () => shell.ask(lineDialog({ label: loopSays.tell }, text => run('inject', id, '--', text))),
    c: () =>
      shell.ask(
        lineDialog({ label: loopSays.checkpointName, suggested: nameNow() }, name =>
          run('checkpoint', id, '--', name),
        ),
      ),
    a: () => {
      const known = summary()
      const dialog = known ? loopQuestion(known, shell) : null
      if (dialog) shell.ask(dialog)
      else shell.say(screenSays.asksNothing(screenSays.theLoop))
    },
    x: () => askCancel({ ...about, label: loopSays.cancel(id) }),
    b: () => {
      const n = acting.selected()
      askRollback(about, n === 0 ? 'initial' : checkpointName(n))
    },
  }
}

/** A loop that has used up a limit goes on only with a higher one, and only after a question. */
function resume(summary: Summary | undefined, { id, shell }: Acting): void {
  if (summary?.pending === 'pause') return shell.run('resume', id)
  const raised = summary && 'criteria' in summary ? neededFlags(summary).trim() : ''
  if (raised === '') return shell.run('resume', id, '-b')
  const act = () => shell.run('resume', id, '-b', ...raised.split(' '))
  shell.ask(choiceDialog(loopSays.usedUp(id), [], [{ key: 'y', word: loopSays.resumeWith(raised), act }]))
}

/** A generated name, so that nobody has to think of one. */
function nameNow(): string {
  return `watch-${new Date().toISOString().slice(11, 19).replaceAll(':', '')}`
}
