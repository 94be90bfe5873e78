/** The report: the loops that wait for a person, failed with a reason, run, or are done; and their cost. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { formatCost } from '../../src/model/units.ts'
import type { RouteAnswer } from '../../src/server/api/contract.ts'
import { formatChanges } from '../../src/views/words/message.ts'
import { askLoopd } from '../base/api.ts'
import { useAsked } from '../base/asked.ts'
import { setQuery, usePlace } from '../base/router.ts'
import { Choose } from '../parts/choose.tsx'
import { Link } from '../parts/link.tsx'
import { Empty, FailureNote, Loading } from '../parts/note.tsx'
import { StatusIcon } from '../parts/status.tsx'
import { setTitle } from '../shell/title.ts'

type Reported = RouteAnswer<'report'>

const spans = [
  ['12h', '12 hours'],
  ['24h', 'a day'],
  ['7d', 'a week'],
  ['30d', '30 days'],
] as const

export function ReportPage(): JSX.Element {
  const { query } = usePlace()
  const since = spans.find(([name]) => name === query.get('since'))?.[0] ?? '12h'
  useEffect(() => setTitle('Report'), [])
  const got = useAsked(since, signal => askLoopd('report', { query: { since } }, signal))
  return (
    <div class="page">
      <div class="page-head">
        <h1 class="grow">Report</h1>
        <Choose label="Since" value={since} choices={spans} choose={name => setQuery({ since: name })} />
      </div>
      {got.refused && <FailureNote refused={got.refused} retry={got.reload} />}
      {got.isLoading && <Loading what="the report" />}
      {got.value && <Report report={got.value} />}
    </div>
  )
}

const parts: readonly ['waiting' | 'failed' | 'running' | 'done' | 'cancelled', string][] = [
  ['waiting', 'Waiting for you'],
  ['failed', 'Failed'],
  ['running', 'Running'],
  ['done', 'Done'],
  ['cancelled', 'Cancelled'],
]

function Report({ report }: { report: Reported }): JSX.Element {
  const shown = parts.filter(([name]) => report[name].length > 0)
  if (shown.length === 0) return <Empty title="No loop has run in this time, and none waits for you" />
  return (
    <div class="stack wide-gap">
      {shown.map(([name, words]) => (
        <section key={name} class="card">
          <div class="card-head">
            <h2>{words}</h2>
            <span class="count">{report[name].length}</span>
          </div>
          <ul>
            {report[name].map(loop => (
              <ReportRow key={loop.id} loop={loop} />
            ))}
          </ul>
        </section>
      ))}
      <Cost cost={report.cost} />
    </div>
  )
}

function ReportRow({ loop }: { loop: Reported['done'][number] }): JSX.Element {
  const { id, status, prompt, reason, cwd, spent, changes, unmet } = loop
  return (
    <li class="criterion report-row">
      <StatusIcon status={status} />
      <div class="grow">
        <Link to={`/loops/${id}`} class="loop-title clip">
          {prompt}
        </Link>
        <p class="small">
          {status}
          {reason === '' ? '' : `: ${reason}`}
        </p>
        <p class="small quiet">
          <code>{id}</code> {cwd}
        </p>
        {unmet.slice(0, 2).map(({ criterion, verdict, why, failing }) => (
          <p key={criterion} class="small tone-bad">
            {criterion}: {verdict} ({why}
            {failing ? `, ${failing} failing` : ''})
          </p>
        ))}
      </div>
      <span class="small quiet num report-spent">
        {changes ? formatChanges(changes) : ''}
        <br />
        {spent.costUsd === null ? '' : formatCost(spent.costUsd, spent)}
      </span>
    </li>
  )
}

function Cost({ cost }: { cost: Reported['cost'] }): JSX.Element | null {
  if (cost.total.runs === 0) return null
  const groups: [string, [string, Reported['cost']['total']][]][] = [
    ['By day', cost.byDay.map(row => [row.day, row])],
    ['By agent', cost.byAgent.map(row => [row.agent, row])],
    ['By project', cost.byProject.map(row => [row.cwd, row])],
  ]
  const most = Math.max(...groups.flatMap(([, rows]) => rows.map(([, { costUsd }]) => costUsd ?? 0)), 0.01)
  return (
    <section class="card">
      <div class="card-head">
        <h2>Cost</h2>
        <span class="quiet small">
          {cost.total.costUsd === null
            ? 'no run has said what it cost'
            : formatCost(cost.total.costUsd, cost.total)}
          , {cost.total.runs} runs
        </span>
      </div>
      <div class="card-body charts">
        {groups.map(([title, rows]) => (
          <div key={title} class="stack tight">
            <h3>{title}</h3>
            {rows.map(([name, row]) => (
              <div key={name} class="disk-part small">
                <span class="clip" title={name}>
                  {name}
                </span>
                <span class="meter">
                  <span style={{ width: `${((row.costUsd ?? 0) / most) * 100}%` }} />
                </span>
                <span class="num">{row.costUsd === null ? '–' : formatCost(row.costUsd, row)}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
    </section>
  )
}
