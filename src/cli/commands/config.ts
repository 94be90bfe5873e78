/**
 * `loop config`: shows the current values and their sources; changes one key of a file; trusts the file of a
 * project.
 */
import { failureWords } from '../../failures/words.ts'
import { fail, invalid, ok, type Result } from '../../model/failure.ts'
import { agentNamed } from '../../options/agent.ts'
import { type ConfigChange, editConfig } from '../../options/config/edit.ts'
import { type ConfigPlace, readConfigFile } from '../../options/config/file.ts'
import { loadLayers, wayToTrust } from '../../options/config/layers.ts'
import { readConfigFiles } from '../../options/config/load.ts'
import { type ConfigEntry, parseConfig, settingNamed } from '../../options/config/parse.ts'
import { recordTrust, trustOf } from '../../options/config/trust.ts'
import { treeFrom } from '../../options/resolve.ts'
import { type Setting, settings } from '../../options/setting.ts'
import { environment, type Layers, unfitting } from '../../options/values.ts'
import { pathsFrom, projectConfig } from '../../store/files/paths.ts'
import { whileLocked } from '../../store/sqlite/lock.ts'
import { align } from '../../views/layout/columns.ts'
import { doneWords } from '../../views/words/done.ts'
import { type ActionRows, actionOf } from '../action.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { rowOf, setLines, settingsTable } from '../config.ts'
import { systemHere } from '../system.ts'
import { notice, out, outDocument, outFor, outputWidth } from '../terminal.ts'

const actions: ActionRows = {
  list: { takes: '', run: list },
  get: { takes: '<key>', run: get },
  set: { takes: '<key> <value>', run: set },
  unset: { takes: '<key>', run: unset },
  path: { takes: '', run: files },
  trust: { takes: '', run: input => trust(input, true) },
  untrust: { takes: '', run: input => trust(input, false) },
}

const config: CommandRun = async input => {
  const typed = input.positionals.length > 0 ? input.positionals : ['list']
  const action = actionOf('loop config', actions, { typed, kind: 'config-form' })
  if (!action.ok) return action
  const { name, run } = action.value
  if (input.given('project') && name !== 'set' && name !== 'unset')
    return invalid({ kind: 'project-flag', action: name })
  return run(input)
}

async function list(input: Input): Promise<Result<number>> {
  const layers = effective(input)
  if (!layers.ok) return layers
  const rows = () => settings.map(setting => rowOf(setting, layers.value))
  outFor<'settings'>(input, rows(), settingsTable(layers.value, outputWidth()).join('\n'))
  return ok(0)
}

async function get(input: Input, key = ''): Promise<Result<number>> {
  const setting = settingNamed(key)
  if (!setting.ok) return setting
  const layers = effective(input)
  if (!layers.ok) return layers
  const { value, source } = rowOf(setting.value, layers.value)
  outFor<'setting'>(input, { key, value, source }, value ?? '')
  return ok(0)
}

function effective(input: Input): Result<Layers> {
  const system = systemHere(input)
  const read = readConfigFiles(input, system)
  if (!read.ok) return read
  const loaded = loadLayers(read.value, system, { wanted: false, ask: null })
  if (!loaded.ok) return loaded
  if (loaded.value.notice !== null) notice(input, loaded.value.notice)
  return ok({ ...loaded.value.layers, env: environment(input.env) })
}

async function set(input: Input, key = '', text = ''): Promise<Result<number>> {
  const setting = settingNamed(key)
  if (!setting.ok) return setting
  if (input.given('project') && !setting.value.project) {
    return invalid({ kind: 'not-of-project', key })
  }
  const wrong = unfitting(setting.value, text)
  if (wrong) return invalid({ kind: 'unfit-value', subject: key, ...wrong, text })
  if (key === 'agent') {
    const agent = agentNamed(text)
    if (!agent.ok) return agent
  }
  return change(input, setting.value, text)
}

async function unset(input: Input, key = ''): Promise<Result<number>> {
  const setting = settingNamed(key)
  return setting.ok ? change(input, setting.value, null) : setting
}

function change(input: Input, setting: Setting, text: string | null): Result<number> {
  const place = input.given('project') ? projectPlace(input) : ok(userPlace(input))
  if (!place.ok) return place
  const wish: ConfigChange = { key: setting.key, text }
  const paths = pathsFrom(input.env)
  const edited = whileLocked(paths, () => editConfig(paths, place.value, wish))
  if (!edited.ok) return edited
  const { changed, trusted } = edited.value
  const { path } = place.value
  if (input.given('json'))
    outDocument<'settingChanged'>({ key: setting.key, value: text, path, changed, trusted })
  else out(doneWords.set(setting.key, path, { text, changed }))
  if (text !== null && setting.env && input.env[setting.env]) {
    notice(input, `$${setting.env} is set to ${input.env[setting.env]} and goes before it.`)
  }
  if (!trusted)
    notice(input, `${path} is not trusted and is not used. ${wayToTrust(path, systemHere(input))}`)
  return ok(0)
}

async function files(input: Input): Promise<Result<number>> {
  const project = projectPlace(input)
  if (!project.ok) return project
  const rows = [userPlace(input), project.value].map(place => ({ ...place, ...stateOf(input, place) }))
  if (input.given('json')) outDocument<'configFiles'>(rows)
  else out(align(rows.map(row => [row.of, row.path, row.state, row.problem ?? ''])).join('\n'))
  return ok(0)
}

type FileState = { exists: boolean; used: boolean; state: string; problem: string | null }

/** The state of a file. Never fails: it is needed most when everything else does. */
function stateOf(input: Input, place: ConfigPlace): FileState {
  const file = readConfigFile(place)
  if (!file.ok) return { exists: true, used: false, state: 'invalid', problem: failureWords(file.failure) }
  if (!file.value) return { exists: false, used: false, state: 'not there', problem: null }
  const entries = parseConfig(file.value)
  if (!entries.ok)
    return { exists: true, used: false, state: 'invalid', problem: failureWords(entries.failure) }
  if (place.of === 'user') return { exists: true, used: true, state: 'used', problem: null }
  const trusted = trustOf(pathsFrom(input.env), file.value)
  if (trusted === 'trusted') return { exists: true, used: true, state: 'trusted', problem: null }
  const state = trusted === 'changed' ? 'changed since trusted' : 'not trusted'
  return { exists: true, used: false, state, problem: null }
}

async function trust(input: Input, trusted: boolean): Promise<Result<number>> {
  const place = projectPlace(input)
  if (!place.ok) return place
  const file = readConfigFile(place.value)
  if (!file.ok) return file
  if (!file.value) return fail('invalid-config', { kind: 'no-such-file', path: place.value.path })
  // Only a readable file can be trusted.
  const entries: Result<ConfigEntry[]> = trusted ? parseConfig(file.value) : ok([])
  if (!entries.ok) return entries
  const recorded = recordTrust(pathsFrom(input.env), file.value, trusted)
  if (!recorded.ok) return recorded
  const { path } = place.value
  const words = trusted ? doneWords.trusted(path, setLines(entries.value)) : doneWords.untrusted(path)
  outFor<'trusted'>(input, { path, trusted }, words)
  return ok(0)
}

function userPlace(input: Input): ConfigPlace {
  return { path: pathsFrom(input.env).config, of: 'user' }
}

function projectPlace(input: Input): Result<ConfigPlace> {
  const tree = treeFrom(input, systemHere(input))
  return tree.ok ? ok({ path: projectConfig(tree.value), of: 'project' }) : tree
}

export default config
