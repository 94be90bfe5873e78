/** The page of the machine: the health and metrics of loopd, the disk, the configuration, the agents and the doctor. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Link } from '../parts/link.tsx'
import { setTitle } from '../shell/title.ts'
import { AgentsTab } from './agents-tab.tsx'
import { ConfigTab } from './config-tab.tsx'
import { DiskTab } from './disk-tab.tsx'
import { DoctorTab } from './doctor-tab.tsx'
import { HealthTab } from './health-tab.tsx'

const tabs: readonly [name: string, words: string, part: () => JSX.Element][] = [
  ['', 'Health', () => <HealthTab />],
  ['agents', 'Agents', () => <AgentsTab />],
  ['disk', 'Disk', () => <DiskTab />],
  ['config', 'Configuration', () => <ConfigTab />],
  ['doctor', 'Doctor', () => <DoctorTab />],
]

export function MachinePage({ id: tab }: { id: string }): JSX.Element {
  useEffect(() => setTitle('Machine'), [])
  const [, , part] = tabs.find(([name]) => name === tab) ?? tabs[0] ?? []
  return (
    <div class="page">
      <h1>Machine</h1>
      <nav class="tabs" aria-label="Parts of the machine">
        {tabs.map(([name, words]) => (
          <Link key={name} to={name === '' ? '/machine' : `/machine/${name}`} current={name === tab}>
            {words}
          </Link>
        ))}
      </nav>
      {part?.()}
    </div>
  )
}
