/** The report of `loop doctor`: each check with its result and the remedy. */
import type { JSX } from 'preact'
import { askLoopd } from '../base/api.ts'
import { useAsked } from '../base/asked.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { FailureNote, Loading } from '../parts/note.tsx'
import type { Tone } from '../parts/status.tsx'

const looks = {
  ok: ['check', 'good'],
  warn: ['warn', 'warn'],
  fail: ['cross', 'bad'],
} as const satisfies Record<string, [IconName, Tone]>

export function DoctorTab(): JSX.Element {
  const got = useAsked('doctor', signal => askLoopd('doctor', {}, signal))
  if (got.refused) return <FailureNote refused={got.refused} retry={got.reload} />
  if (!got.value) return <Loading what="what the doctor finds" />
  return (
    <ul class="card">
      {got.value.checks.map(({ name, status, found, next }) => {
        const [icon, tone] = looks[status]
        return (
          <li key={name} class="criterion">
            <Icon name={icon} size={14} class={`tone-${tone}`} />
            <div class="grow">
              <strong>{name}</strong> <span class={`small tone-${tone}`}>{status}</span>
              <p class="quiet">{found}</p>
              {next && <p>{next}</p>}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
