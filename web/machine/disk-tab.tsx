/** The disk use of loop, and its clean-up: what would be removed is shown before anything is. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { count, formatBytes } from '../../src/model/units.ts'
import type { RouteAnswer } from '../../src/server/api/contract.ts'
import { askLoopd } from '../base/api.ts'
import { useAsked } from '../base/asked.ts'
import { useSubmit } from '../base/submit.ts'
import { say } from '../base/toast.ts'
import { FailureNote, Loading } from '../parts/note.tsx'

export function DiskTab(): JSX.Element {
  const got = useAsked('disk', signal => askLoopd('disk', {}, signal))
  if (got.refused) return <FailureNote refused={got.refused} retry={got.reload} />
  if (!got.value) return <Loading what="the disk" />
  const { freeBytes, parts } = got.value
  const most = Math.max(1, ...parts.map(({ bytes }) => bytes ?? 0))
  return (
    <div class="stack wide-gap">
      <section class="card">
        <div class="card-head">
          <h2>What loop holds</h2>
          <span class="quiet small">{freeBytes === null ? '' : `${formatBytes(freeBytes)} free`}</span>
        </div>
        <ul class="card-body stack">
          {parts.map(({ name, path, bytes }) => (
            <li key={name} class="disk-part">
              <span title={path}>{name}</span>
              <span class="meter">
                <span style={{ width: `${((bytes ?? 0) / most) * 100}%` }} />
              </span>
              <span class="num">{bytes === null ? 'not counted' : formatBytes(bytes)}</span>
            </li>
          ))}
        </ul>
      </section>
      <CleanUp done={got.reload} />
    </div>
  )
}

function CleanUp({ done }: { done(): void }): JSX.Element {
  const [found, setFound] = useState<string | null>(null)
  const run = async (dry: boolean) => {
    const got = await askLoopd('gc', { body: { dry } })
    if (!got.ok) {
      say({ tone: 'bad', text: got.message })
      return false
    }
    setFound(dry ? summaryOf(got.value) : null)
    if (!dry) say({ tone: 'good', text: `Cleaned up: ${summaryOf(got.value)}` })
    if (!dry) done()
    return true
  }
  const look = useSubmit(() => run(true))
  const clean = useSubmit(() => run(false))
  return (
    <section class="card">
      <div class="card-head">
        <h2 class="grow">Clean-up</h2>
        <button type="button" class="button small" disabled={look.isBusy} onClick={look.submit}>
          What would go?
        </button>
      </div>
      <div class="card-body stack">
        {!found && (
          <p class="quiet">
            Checkpoints, copies and outputs of loops that ended longer ago than checkpoint_retention.
          </p>
        )}
        {found && (
          <>
            <p>{found}</p>
            <p>
              <button type="button" class="button danger" disabled={clean.isBusy} onClick={clean.submit}>
                Clean up now
              </button>
            </p>
          </>
        )}
      </div>
    </section>
  )
}

function summaryOf({ checkpoints, copies, outputs, bytes }: RouteAnswer<'gc'>): string {
  const parts = [
    count(checkpoints, 'checkpoint'),
    `${copies.length} working copies`,
    count(outputs.length, 'output'),
  ]
  return `${parts.join(', ')}: ${formatBytes(bytes)}`
}
