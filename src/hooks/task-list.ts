/** The task list of a session: from its host, or from the files in which Claude Code keeps it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readPlain } from '../adapters/tree-file.ts'
import { parseJson } from '../core/session/state-file.ts'
import { parseTask, type SessionTask } from '../core/session/tasks.ts'
import type { HookCall } from './situation.ts'

const most = { tasks: 500, bytes: 64_000 }

export function tasksOf({ session, tasks }: HookCall, env: NodeJS.ProcessEnv): SessionTask[] {
  if (tasks) return tasks.slice(0, most.tasks).flatMap(task => parseTask(task) ?? [])
  const dir = listDir(session, env)
  return dir === null ? [] : tasksIn(dir)
}

export function tasksIn(dir: string): SessionTask[] {
  return numbered(dir).flatMap(name => taskIn(dir, name) ?? [])
}

/** The list that the session uses: the one it was told to, else its own. */
export function listDir(session: string, env: NodeJS.ProcessEnv): string | null {
  const home = env['CLAUDE_CONFIG_DIR'] ?? (env['HOME'] && join(env['HOME'], '.claude'))
  const list = (env['CLAUDE_CODE_TASK_LIST_ID'] || session).replaceAll(/[^\w-]/g, '-')
  return home ? join(home, 'tasks', list) : null
}

function numbered(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter(name => /^\d+\.json$/.test(name))
      .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
      .slice(0, most.tasks)
  } catch {
    return [] // the session has made none
  }
}

/** Read twice: Claude Code writes its files in place, so that one may be met half-written. */
function taskIn(dir: string, name: string): SessionTask | null {
  for (let tries = 0; tries < 2; tries += 1) {
    const found = readPlain(dir, name, most.bytes)
    if (typeof found === 'string') return null
    const task = parseTask(parseJson(found.text))
    if (task) return task
  }
  return null
}
