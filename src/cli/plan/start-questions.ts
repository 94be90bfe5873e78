/**
 * The questions at the start of a plan, asked if somebody is at the terminal and no flag has answered them: the list
 * that keeps its tasks, the iterations of all tasks together, and the budget. Enter takes the default.
 */
import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { readTaskFiles } from '../../adapters/task-files.ts'
import { spelledOut } from '../../core/text/plain-text.ts'
import { namedList } from '../../hooks/task-list.ts'
import type { Spec } from '../../model/loop/spec.ts'
import type { Input } from '../command-table.ts'
import { askLine, isAttended } from '../foreground/question.ts'

type StartAnswers = {
  /** A value for `--task-list`. */
  taskList: string | null
  limits: Partial<Pick<Spec, 'maxIterations' | 'budgetUsd'>>
}

const iterations = [10, 25, 50, null] as const
const budgets = [10, 25, 50, null] as const

/** Null if the person left the questions. */
export async function askStart(tree: string, input: Input): Promise<StartAnswers | null> {
  const nothing: StartAnswers = { taskList: null, limits: {} }
  if (!isAttended(input) || ['yes', 'background', 'dry-run'].some(name => input.given(name))) return nothing
  const stop = new AbortController()
  const leave = () => stop.abort()
  process.once('SIGINT', leave)
  try {
    const ask = (question: string) => askLine(question, stop.signal)
    const taskList = input.given('task-list') ? null : await askList(tree, { input, ask })
    const most = input.given('max-iterations') ? undefined : await choose(ask, iterationWords, iterations)
    const money = input.given('budget') ? undefined : await choose(ask, budgetWords, budgets)
    if (stop.signal.aborted) return null
    return {
      taskList,
      limits: {
        ...(most !== undefined && { maxIterations: most }),
        ...(money !== undefined && { budgetUsd: money }),
      },
    }
  } finally {
    process.off('SIGINT', leave)
  }
}

const iterationWords =
  'Iterations? 10 (quick task) / 25 (medium feature) / 50 (large refactor) / unlimited [10] '
const budgetWords = 'Budget? $10 / $25 / $50 / none [25] '

type Ask = (question: string) => Promise<string | null>

/** Undefined for an empty line: the default holds. Any other answer than the choices is asked for again. */
async function choose(
  ask: Ask,
  question: string,
  choices: readonly (number | null)[],
): Promise<number | null | undefined> {
  const said = (await ask(question))?.trim().toLowerCase().replace(/^\$/, '') ?? ''
  if (said === '') return undefined
  if (/^(unlimited|none|no limit)$/.test(said)) return null
  const number = Number(said)
  return choices.includes(number) ? number : choose(ask, question, choices)
}

type Around = { input: Input; ask: Ask }

async function askList(tree: string, around: Around): Promise<string | null> {
  const open = openLists(tree, around.input.env)
  const existing = open.length > 0 ? `existing (${open.map(spelledOut).join(', ')})` : 'existing'
  const question = `Task list? new / ${existing} / session-only [new] `
  const said = (await around.ask(question))?.trim() ?? ''
  if (said === '' || said === 'new') return null
  if (/^session(-only)?$/.test(said)) return 'session'
  if (said === 'existing' && open[0] !== undefined && open.length === 1) return open[0]
  return open.includes(said) ? said : askList(tree, around)
}

const mostLists = 10

/** The lists of this project that have open tasks. */
function openLists(tree: string, env: NodeJS.ProcessEnv): string[] {
  const any = namedList('any', env)
  const project = `${basename(tree) || 'project'}-`.replaceAll(/[^\w-]/g, '-')
  return namesIn(any === null ? null : dirname(any))
    .filter(name => name.startsWith(project))
    .filter(name => readTaskFiles(namedList(name, env) ?? '').some(({ status }) => status !== 'completed'))
    .slice(0, mostLists)
}

function namesIn(dir: string | null): string[] {
  if (dir === null) return []
  try {
    return readdirSync(dir)
  } catch {
    return [] // Claude Code has never kept a list here
  }
}
