/** The offer when this tree has an unfinished plan: resume it, begin a new one, or look at it first. */
import { join } from 'node:path'
import { readPlain, removeFiles } from '../../adapters/tree-file.ts'
import type { GroupSummary } from '../../core/group/summary.ts'
import { isOpen } from '../../core/loop/summary.ts'
import { exitCodeOf, fail, ok, type Result } from '../../model/failure.ts'
import { shapeMark } from '../../views/plan/shape.ts'
import type { Input } from '../command-table.ts'
import { askLine, isAttended } from '../foreground/question.ts'
import { notice } from '../terminal.ts'

/** `fresh`: begin a new plan. A number: the exit code of the command that was chosen instead. */
export async function offerResume(here: GroupSummary, input: Input): Promise<Result<number | 'fresh'>> {
  const { id, status } = here
  if (!isAttended(input)) {
    if (isOpen(status)) return fail('not-allowed', { kind: 'plan-is-here', id, status })
    notice(
      input,
      `Plan ${id} has ${status} here. This start is a new plan; to resume the other one: loop resume ${id}`,
    )
    return ok('fresh')
  }
  for (;;) {
    const line = await askLine(
      `Plan ${id} is here (${status}): Resume / Start fresh / Status\nResume loop? [Y/n/status] `,
      new AbortController().signal,
    )
    if (line === null) return ok(exitCodeOf('cancelled'))
    const said = line.trim().toLowerCase()
    if (/^(y|yes|resume|)$/.test(said)) return command('resume', id, input)
    if (/^(n|no|fresh|start fresh)$/.test(said)) return ok('fresh')
    const shown = await command('status', id, input)
    if (!shown.ok) return shown
  }
}

async function command(name: 'resume' | 'status', id: string, input: Input): Promise<Result<number>> {
  const { commands } = await import('../command-table.ts')
  const { valuesOf } = await import('../../options/values.ts')
  const { commonFlags } = await import('../../options/table/command.ts')
  const row = commands.find(one => one.name === name)
  if (!row) throw new Error(`Internal error: no command ${name}`)
  const { default: run } = await row.load()
  const values = valuesOf([...row.flags, ...commonFlags], new Map(), { env: input.env })
  return run({ ...values, positionals: [id], env: input.env })
}

/**
 * Removes the files of the current plan only: never runs, learnings, maxims, configuration, or a SHAPE.md that loop did
 * not write.
 */
export function removeCurrent(tree: string): void {
  const dir = join(tree, '.loop')
  const shape = readPlain(join(dir, 'shape'), 'SHAPE.md')
  removeFiles(dir, ['state.json', 'workflow-state.json', 'PROGRESS.md'])
  if (typeof shape !== 'string' && shape.text.includes(shapeMark))
    removeFiles(join(dir, 'shape'), ['SHAPE.md'])
}
