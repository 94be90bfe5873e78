/** The health of loopd: its start time, the number of loops, its troubles, and its metrics over time. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { formatBytes, formatDuration } from '../../src/model/units.ts'
import type { RouteAnswer } from '../../src/server/api/contract.ts'
import { askLoopd } from '../base/api.ts'
import { useAsked } from '../base/asked.ts'
import { useNow } from '../base/clock.ts'
import { forgetKey, ownKey } from '../base/key.ts'
import { useSubmit } from '../base/submit.ts'
import { saidHow } from '../base/toast.ts'
import { Figure } from '../journal/figure.tsx'
import { LineChart } from '../parts/chart.tsx'
import { Icon } from '../parts/icon.tsx'
import { FailureNote, Loading, Note } from '../parts/note.tsx'

const everyMs = 5_000

export function HealthTab(): JSX.Element {
  const now = useNow()
  const daemon = useAsked('daemon', signal => askLoopd('daemon', {}, signal))
  const metrics = useAsked('metrics', signal => askLoopd('metricHistory', {}, signal))
  useEffect(() => {
    const timer = window.setInterval(() => {
      if (document.hidden) return
      daemon.reload()
      metrics.reload()
    }, everyMs)
    return () => window.clearInterval(timer)
  }, [])
  if (daemon.refused) return <FailureNote refused={daemon.refused} retry={daemon.reload} />
  if (!daemon.value) return <Loading what="how loopd is" />
  const { version, pid, startedAt, running, groups, queued, limit, freeBytes, problems, stopping, socket } =
    daemon.value
  return (
    <div class="stack wide-gap">
      {stopping && (
        <Note tone="warn" icon="warn">
          <p>loopd is stopping after the iterations that are under way.</p>
        </Note>
      )}
      {problems.map(words => (
        <Note key={words} tone="bad" icon="warn">
          <p>{words}</p>
        </Note>
      ))}
      <dl class="figures">
        <Figure name="loopd" value={version} more={`process ${pid}`} />
        <Figure name="Up" value={formatDuration(Math.max(0, now - startedAt))} more="" />
        <Figure name="Running" value={String(running.length)} more={`of ${limit} at once`} />
        <Figure name="Groups" value={String(groups.length)} more="" />
        <Figure name="Queued" value={String(queued)} more="" />
        <Figure name="Disk free" value={freeBytes === null ? '–' : formatBytes(freeBytes)} more="" />
      </dl>
      <p class="small quiet">
        Socket: <code>{socket}</code>
      </p>
      {metrics.refused && <FailureNote refused={metrics.refused} retry={metrics.reload} />}
      {metrics.value && <Charts history={metrics.value} />}
      <SignOut />
    </div>
  )
}

/** Makes the key of this browser invalid; other browsers stay signed in. */
function SignOut(): JSX.Element {
  const { isBusy, submit } = useSubmit(
    async () => saidHow(await askLoopd('signOut', { body: {} }), 'This browser is signed out.'),
    () => {
      forgetKey(ownKey.get())
      window.location.assign('/')
    },
  )
  return (
    <div class="row wrap">
      <span class="small quiet">This browser stays signed in for 30 days.</span>
      <button type="button" class="button small" disabled={isBusy} onClick={submit}>
        <Icon name="out" size={14} /> Sign out
      </button>
    </div>
  )
}

function Charts({ history: { samples } }: { history: RouteAnswer<'metricHistory'> }): JSX.Element {
  if (samples.length < 2) return <p class="quiet">Charts appear here after a minute.</p>
  const labels = samples.map(({ at }) =>
    new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }),
  )
  const whole = (value: number) => String(Math.round(value))
  return (
    <div class="charts">
      <ChartCard title="Loops">
        <LineChart
          title="Loops"
          labels={labels}
          format={whole}
          series={[
            { name: 'running', tone: 'info', values: samples.map(({ running }) => running) },
            { name: 'queued', tone: 'warn', values: samples.map(({ queued }) => queued) },
          ]}
        />
      </ChartCard>
      <ChartCard title="Memory of loopd">
        <LineChart
          title="Memory of loopd"
          labels={labels}
          format={formatBytes}
          series={[{ name: 'memory', tone: 'info', values: samples.map(({ rssBytes }) => rssBytes) }]}
        />
      </ChartCard>
      <ChartCard title="Agent runs begun, by minute">
        <LineChart
          title="Agent runs begun, by minute"
          labels={labels}
          format={whole}
          series={[{ name: 'iterations', tone: 'good', values: samples.map(({ iterations }) => iterations) }]}
        />
      </ChartCard>
    </div>
  )
}

function ChartCard({ title, children }: { title: string; children: JSX.Element }): JSX.Element {
  return (
    <section class="card">
      <div class="card-head">
        <h2>{title}</h2>
      </div>
      <div class="card-body">{children}</div>
    </section>
  )
}
