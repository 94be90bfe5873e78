/**
 * The variables that the user has configured as secrets, put into the environment that everything goes by: whoever
 * shows, keeps or hands on something asks that alone. YAML is loaded only where the key is in the file.
 */
import { readConfigFile } from '../options/config/file.ts'
import { pathsFrom } from '../store/files/paths.ts'
import { secretNamesVariable } from '../views/secrets/names.ts'

const key = 'secret_names'

export async function withSecretNames(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (env[secretNamesVariable] !== undefined) return env
  const file = readConfigFile({ path: pathsFrom(env).config, of: 'user' })
  if (!file.ok || !file.value?.bytes.includes(key)) return env
  const { parseConfig } = await import('../options/config/parse.ts')
  const entries = parseConfig(file.value)
  // A file with a mistake in it is refused by whoever needs it; what it calls a secret stays one.
  const names = entries.ok
    ? entries.value.find(entry => entry.key === key)?.text
    : /^secret_names:\s*["']?([\w*, ]+)/m.exec(file.value.bytes.toString('utf8'))?.[1]
  return names ? { ...env, [secretNamesVariable]: names } : env
}
