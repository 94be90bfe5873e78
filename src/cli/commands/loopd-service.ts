/** `loopd service`: a user service (systemd) that runs loopd from login on and restarts it. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { invalid, ok, type Result } from '../../model/failure.ts'
import { platform } from '../../platform/platform.ts'
import { makeDirectory } from '../../store/files/directory.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { loopdWords } from '../../views/words/daemon.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { daemonProgram } from '../loopd/connect.ts'
import { err, out, outDocument, outFor } from '../terminal.ts'

const service: CommandRun = async input => {
  const [action = ''] = input.positionals
  switch (action) {
    case 'install':
      return install(input)
    case 'uninstall':
      return uninstall(input)
    case 'print':
      return print(input)
    default:
      return invalid({ kind: 'service-action-missing' })
  }
}

function print(input: Input): Result<number> {
  const text = textFor(input.env).trimEnd()
  const file = fileFor(input.env)
  outFor<'service'>(input, { file, installed: existsSync(file), text }, text)
  return ok(0)
}

const { services } = platform
const name = 'loopd'

function fileFor(env: NodeJS.ProcessEnv): string {
  // Beside loop's configuration, which is two directories below the same place.
  return services.file(dirname(dirname(dirname(pathsFrom(env).config))), name)
}

function textFor(env: NodeJS.ProcessEnv): string {
  const passed = ['PATH', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'LOOPD_SOCKET']
  const given = passed.flatMap(variable => (env[variable] ? [[variable, env[variable]]] : []))
  return services.text({
    name,
    description: 'loopd: coding agents in the background',
    program: [...daemonProgram(), 'start', '--foreground'],
    env: Object.fromEntries(given),
  })
}

function install(input: Input): Result<number> {
  const file = fileFor(input.env)
  makeDirectory(dirname(file))
  writeFileSync(file, textFor(input.env))
  const enabled = services.enable(name)
  if (input.given('json')) {
    outDocument<'service'>({
      file,
      installed: true,
      enabled,
      byHand: enabled ? null : services.byHand(name),
    })
    return ok(0)
  }
  out(loopdWords.serviceWritten(file, enabled ? services.manager : null))
  if (!enabled) err(loopdWords.serviceByHand(services.manager, services.byHand(name)))
  return ok(0)
}

function uninstall(input: Input): Result<number> {
  const file = fileFor(input.env)
  if (!existsSync(file)) return invalid({ kind: 'no-such-file', path: file })
  services.disable(name, () => rmSync(file))
  outFor<'service'>(input, { file, installed: false }, loopdWords.serviceRemoved(file))
  return ok(0)
}

export default service
