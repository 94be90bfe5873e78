/**
 * Puts the variables that the user configured as secrets into the environment, which is the only source for everything
 * that shows, keeps or passes on text. YAML is loaded only if the file has the key.
 */
import { readConfigFile } from '../options/config/file.ts'
import { secretNamesVariable } from '../secrets/names.ts'
import { pathsFrom } from '../store/files/paths.ts'

const key = 'secret_names'

export async function withSecretNames(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (env[secretNamesVariable] !== undefined) return env
  const file = readConfigFile({ path: pathsFrom(env).config, of: 'user' })
  if (!file.ok || !file.value?.bytes.includes(key)) return env
  const { parseConfig } = await import('../options/config/parse.ts')
  const entries = parseConfig(file.value)
  // A file with a mistake is refused elsewhere; the names that it lists still count as secrets.
  const names = entries.ok
    ? entries.value.find(entry => entry.key === key)?.text
    : /^secret_names:\s*["']?([\w*, ]+)/m.exec(file.value.bytes.toString('utf8'))?.[1]
  return names ? { ...env, [secretNamesVariable]: names } : env
}
