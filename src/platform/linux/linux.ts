/** Linux: its small parts, and all parts together. */

import { join } from 'node:path'
import type { Desktop, Locks, Platform, Programs, Services, UserService } from '../contract.ts'
import { files } from './file-systems.ts'
import { childProcesses, processes } from './processes.ts'
import { runs } from './runs.ts'

/** Programs of a Linux machine that loop starts or relies on. */
const desktop: Desktop = {
  openCommand: (url, env) => (env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open', url] : null),
}

const linuxPrograms: Programs = {
  needed: ['setsid', 'ln', 'mv', 'sleep'],
  wanted: ['unshare', 'flock'],
  notable: ['setsid', 'unshare', 'flock'],
  install: {
    needed: 'Install util-linux and coreutils: no loop can run.',
    wanted:
      'Install util-linux: unshare contains what an agent starts, flock tells a living run from a dead one across containers.',
  },
}

/** Locks of files, asked of the kernel by the program `flock`: Node cannot. */
const locks: Locks = {
  isHeld: file =>
    childProcesses().spawnSync('flock', ['--nonblock', file, 'true'], { stdio: 'ignore' }).status === 1,
}

/** Services of the user, by systemd: a unit file, which `systemctl --user` reads. */
const patienceMs = 30_000

const services: Services = {
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

export const linux: Platform = { processes, runs, locks, files, desktop, services, programs: linuxPrograms }
