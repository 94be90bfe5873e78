/** The agents: which are installed, whether they are signed in and how to do that, and what loop can read from each. */
import type { JSX } from 'preact'
import type { RouteAnswer } from '../../src/server/api/contract.ts'
import { askLoopd } from '../base/api.ts'
import { useAsked } from '../base/asked.ts'
import { Icon } from '../parts/icon.tsx'
import { FailureNote, Loading } from '../parts/note.tsx'

export function AgentsTab(): JSX.Element {
  const got = useAsked('agents', signal => askLoopd('agents', { query: {} }, signal))
  if (got.refused) return <FailureNote refused={got.refused} retry={got.reload} />
  if (!got.value) return <Loading what="the agents" />
  return (
    <section class="card table-box" tabIndex={0} role="region" aria-label="Agents">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Agent</th>
            <th scope="col">Installed</th>
            <th scope="col">Signed in</th>
            <th scope="col">Cost</th>
            <th scope="col">What it does without being asked</th>
          </tr>
        </thead>
        <tbody>
          {got.value.map(agent => (
            <AgentRow key={agent.name} agent={agent} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function AgentRow({ agent }: { agent: RouteAnswer<'agents'>[number] }): JSX.Element {
  const { name, isInstalled, isProgram, signedIn, signIn, cost, approves } = agent
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="wraps">
        <span class="row">
          {isProgram && (
            <Icon
              name={isInstalled ? 'check' : 'cross'}
              size={14}
              class={isInstalled ? 'tone-good' : 'tone-quiet'}
            />
          )}
          <span class={isInstalled ? '' : 'quiet'}>{installedWords(agent)}</span>
        </span>
      </td>
      <td class="wraps">
        {isInstalled ? signedIn : ''}
        {isInstalled && signedIn === 'no' && <span class="quiet"> {signIn}</span>}
      </td>
      <td>{cost}</td>
      <td class="wraps quiet">{approves}</td>
    </tr>
  )
}

function installedWords({ isProgram, isInstalled, install }: RouteAnswer<'agents'>[number]): string {
  if (!isProgram) return 'a command or script of yours'
  return isInstalled ? 'yes' : `no: ${install ?? 'not found'}`
}
