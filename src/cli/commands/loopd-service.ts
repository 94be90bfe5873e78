/** `loopd service`: a systemd unit of the user, so that loopd runs from login on and is started again if it dies. */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import { makeDirectory } from '../../store/files/directory.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { jsonText } from '../../views/text/plain-text.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { daemonProgram } from '../loopd/connect.ts'
import { err, out } from '../terminal.ts'

const service: CommandRun = async input => {
  const [action = ''] = input.positionals
  switch (action) {
    case 'install':
      return install(input)
    case 'uninstall':
      return uninstall(input)
    case 'print':
      out(unit(input.env).trimEnd())
      return ok(0)
    default:
      return fail('invalid-arguments', 'Say what to do: loopd service install, uninstall or print')
  }
}

function unitFile(env: NodeJS.ProcessEnv): string {
  // Beside the configuration of loop, which is two directories below the same place.
  return join(dirname(dirname(dirname(pathsFrom(env).config))), 'systemd', 'user', 'loopd.service')
}

/** KillMode=process: agents are not loopd's to take along; it attaches to them again. */
function unit(env: NodeJS.ProcessEnv): string {
  const program = daemonProgram().map(quoted).join(' ')
  const passed = ['PATH', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'LOOPD_SOCKET']
  const variables = passed.flatMap(name =>
    env[name] ? [`Environment=${quoted(`${name}=${env[name]}`)}`] : [],
  )
  return `[Unit]
Description=loopd: coding agents in the background
StartLimitIntervalSec=0

[Service]
Type=simple
ExecStart=${program} start --foreground
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

function install(input: Input): Result<number> {
  const file = unitFile(input.env)
  makeDirectory(dirname(file))
  writeFileSync(file, unit(input.env))
  const enabled = systemctl(['daemon-reload']) && systemctl(['enable', '--now', 'loopd.service'])
  if (input.given('json')) out(jsonText({ file, enabled }))
  else out(`${file} was written${enabled ? ', and loopd runs under systemd from now on' : ''}.`)
  if (!enabled) {
    err('loopd: systemd of this user could not be asked. Do it yourself: systemctl --user enable --now loopd')
  }
  return ok(0)
}

function uninstall(input: Input): Result<number> {
  const file = unitFile(input.env)
  if (!existsSync(file)) return fail('invalid-arguments', `There is no ${file}.`)
  systemctl(['disable', '--now', 'loopd.service'])
  rmSync(file)
  systemctl(['daemon-reload'])
  out(input.given('json') ? jsonText({ file }) : `${file} was removed. Agents that run go on.`)
  return ok(0)
}

function systemctl(args: string[]): boolean {
  return spawnSync('systemctl', ['--user', ...args], { stdio: 'ignore', timeout: 30_000 }).status === 0
}

export default service
