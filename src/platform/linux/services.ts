/** Services of the user, by systemd: a unit file, which `systemctl --user` reads. */
import { join } from 'node:path'
import { childProcesses } from '../child-processes.ts'
import type { Services, UserService } from '../contract.ts'

const patienceMs = 30_000

export const services: Services = {
  manager: 'systemd',
  file: (config, name) => join(config, 'systemd', 'user', `${name}.service`),
  text: unit,
  enable: name => systemctl(['daemon-reload']) && systemctl(['enable', '--now', `${name}.service`]),
  disable(name, remove) {
    systemctl(['disable', '--now', `${name}.service`])
    remove()
    systemctl(['daemon-reload'])
  },
  byHand: name => `systemctl --user enable --now ${name}`,
}

/** KillMode=process: processes that the service started continue without it. */
function unit({ description, program, env }: UserService): string {
  const variables = Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`)
  return `[Unit]
Description=${description}
StartLimitIntervalSec=0

[Service]
Type=simple
ExecStart=${program.map(quoted).join(' ')}
${variables.join('\n')}
Restart=on-failure
RestartSec=2
KillMode=process
TimeoutStopSec=60

[Install]
WantedBy=default.target
`
}

function quoted(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('%', '%%')
    .replaceAll('$', '$$$$')
  return `"${escaped}"`
}

function systemctl(args: string[]): boolean {
  const options = { stdio: 'ignore', timeout: patienceMs } as const
  return childProcesses().spawnSync('systemctl', ['--user', ...args], options).status === 0
}
