/** Which variables hold a secret, by name: telling names, and those that the user configured. */

/** The names that the user configured, separated by commas. Set from `secret_names` if the environment lacks it. */
export const secretNamesVariable = 'LOOP_SECRET_NAMES'

const tells =
  /SECRET_KEY_BASE$|(?:^|_)(?:TOKENS?|SECRETS?|API_?KEYS?|PAT|PASS|PWD|CREDENTIALS?|CREDS)(?:_\d+)?$|_KEYS?(?:_\d+)?$|PASSW(?:OR)?D|PASSPHRASE|CONNECTION_?STRING/i

export function namesSecret(env: Readonly<Record<string, string | undefined>>): (name: string) => boolean {
  const isConfigured = oneOf(listedNames(env[secretNamesVariable] ?? ''))
  return name => tells.test(name) || isConfigured(name)
}

/** Splits a list of names at its commas. */
export function listedNames(text: string): string[] {
  return text
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
}

/**
 * A test for these names, in any case; `*` stands for any characters. Without a pattern: V8 takes 7 ms to compile one of
 * a hundred names, at every start.
 */
export function oneOf(names: readonly string[]): (name: string) => boolean {
  const all = names.map(name => name.toUpperCase().split('*'))
  const whole = new Set(all.flatMap(parts => (parts.length === 1 ? parts : [])))
  const patterns = all.filter(parts => parts.length > 1)
  return name => {
    const upper = name.toUpperCase()
    return whole.has(upper) || patterns.some(parts => fits(upper, parts))
  }
}

/** `parts`: the texts before, between and after the `*` of a pattern. */
function fits(name: string, parts: readonly string[]): boolean {
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= name.length - last.length
}
