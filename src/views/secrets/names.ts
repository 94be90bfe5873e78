/** Which variables hold a secret, by their names: what a name says by itself, and what the user has configured. */

/** Names that the user has configured, with commas between them; set from `secret_names` where it is not given. */
export const secretNamesVariable = 'LOOP_SECRET_NAMES'

const tells =
  /SECRET_KEY_BASE$|(?:^|_)(?:TOKENS?|SECRETS?|API_?KEYS?|PAT|PASS|PWD|CREDENTIALS?|CREDS)(?:_\d+)?$|_KEYS?(?:_\d+)?$|PASSW(?:OR)?D|PASSPHRASE|CONNECTION_?STRING/i

export function namesSecret(env: Readonly<Record<string, string | undefined>>): (name: string) => boolean {
  const isConfigured = oneOf(listedNames(env[secretNamesVariable] ?? ''))
  return name => tells.test(name) || isConfigured(name)
}

/** Names with commas between them. */
export function listedNames(text: string): string[] {
  return text
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
}

/** Whether a name is one of these, in capitals or not; `*` stands for any characters. */
export function oneOf(names: readonly string[]): (name: string) => boolean {
  const each = names.map(name => name.replaceAll(/[^\w*]/g, String.raw`\$&`).replaceAll('*', '.*'))
  const all = new RegExp(`^(?:${each.join('|')})$`, 'is')
  return name => names.length > 0 && all.test(name)
}
