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

/** A test for these names, in any case; `*` stands for any characters. */
export function oneOf(names: readonly string[]): (name: string) => boolean {
  const each = names.map(name => name.replaceAll(/[^\w*]/g, String.raw`\$&`).replaceAll('*', '.*'))
  const all = new RegExp(`^(?:${each.join('|')})$`, 'is')
  return name => names.length > 0 && all.test(name)
}
