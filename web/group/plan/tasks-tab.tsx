/** The tasks of a plan, wave by wave: the state, the criteria, the dependencies and the full text of each. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { outlineOf, type PlanOutline } from '../../../src/core/plan/outline.ts'
import { count, formatCost, formatDuration } from '../../../src/model/units.ts'
import { useCell } from '../../base/cell.ts'
import { type ListRow, listing } from '../../base/list.ts'
import { Link } from '../../parts/link.tsx'
import { Empty } from '../../parts/note.tsx'
import { StatusIcon } from '../../parts/status.tsx'
import type { GroupView } from '../group-page.tsx'

type Task = PlanOutline['tasks'][number]

export function TasksTab({ state }: GroupView): JSX.Element {
  const { tasks, waves } = useMemo(() => outlineOf(state), [state])
  const members = useCell(listing).rows.get(state.id)?.members ?? []
  if (tasks.length === 0)
    return (
      <Empty title="No tasks yet">
        <p>They are made from the shape of the work, each with a command that judges it.</p>
      </Empty>
    )
  const numbers = [...new Set(tasks.map(({ wave }) => wave))].sort((a, b) => a - b)
  return (
    <div class="stack wide-gap">
      {numbers.map(wave => {
        const own = tasks.filter(task => task.wave === wave)
        const review = waves.find(one => one.wave === wave)
        return (
          <section key={wave} class="card" aria-label={`Wave ${wave}`}>
            <div class="card-head">
              <h2>Wave {wave}</h2>
              <span class="quiet small">{waveWords(own)}</span>
              <span class="grow" />
              {review && (
                <span class="quiet small">
                  reviewed: {review.score}/10, {count(review.issues, 'remark')}
                </span>
              )}
            </div>
            {own.map(task => (
              <TaskRow key={task.id} task={task} row={members.find(({ id }) => id === task.member) ?? null} />
            ))}
          </section>
        )
      })}
    </div>
  )
}

function waveWords(tasks: readonly Task[]): string {
  const done = tasks.filter(({ status }) => status === 'completed').length
  if (done === tasks.length) return `${count(tasks.length, 'task')}, done`
  const begun = tasks.some(({ status }) => status !== 'pending')
  return begun
    ? `${done} of ${count(tasks.length, 'task')} done`
    : `${count(tasks.length, 'task')}, not begun`
}

const statusOf = { pending: 'queued', in_progress: 'running', completed: 'completed' } as const

function TaskRow({ task, row }: { task: Task; row: ListRow | null }): JSX.Element {
  return (
    <details class="task">
      <summary>
        <StatusIcon
          status={task.status === 'in_progress' ? (row?.status ?? 'running') : statusOf[task.status]}
        />
        <code class="quiet">{task.id}</code>
        <span class="grow clip">{task.subject}</span>
        <span class="num small quiet task-figures">
          {row ? `${row.iteration}/${row.maxIterations ?? '∞'}` : ''}
          <span>{row ? formatDuration(row.elapsedMs) : ''}</span>
          <span>{row?.costUsd == null ? '' : formatCost(row.costUsd, row)}</span>
        </span>
      </summary>
      <dl class="facts task-facts">
        <dt>Loop</dt>
        <dd>
          {task.member === null ? 'not begun' : <Link to={`/loops/${task.member}`}>{task.member}</Link>}
        </dd>
        <dt>Judged by</dt>
        <dd>
          <code>{task.verify}</code>
        </dd>
        <dt>Action</dt>
        <dd>{task.action}</dd>
        <dt>Complete when</dt>
        <dd>{task.criteria}</dd>
        <dt>Source</dt>
        <dd>{task.source}</dd>
        <dt>Files</dt>
        <dd>
          <code>{task.files.join(', ')}</code>
        </dd>
        {task.blockedBy.length > 0 && (
          <>
            <dt>Waits for</dt>
            <dd>{task.blockedBy.join(', ')}</dd>
          </>
        )}
        <dt>Size</dt>
        <dd>{count(task.points, 'point')}</dd>
      </dl>
    </details>
  )
}
