/**
 * Whether a text may hold a secret at all: a glance that most text passes, before anything looks at its words
 * (views/secrets/forms). Small, so that a table of loops can ask it and load no more.
 */

// Three, not one: each alone is several times faster than all in one.
export const prefixes =
  /AKIA|ASIA|gh[pousr]_|github_pat|gl[a-z]{2,5}-|xox|xapp-|hooks\.slack|[sr]k[_-]|whsec_|AIza|ya29|GOCSPX/
export const morePrefixes =
  /do[opr]_v1_|shp[a-z]{2}_|\d:AA|npm_|pypi-|hf_|SG\.|AGE-S|eyJ|-----BEGIN|:\/\/[^\s/]{1,600}@/
// Each stands in one word and what ends it: text is judged in pieces, and those end where a word does.
export const tellingWords =
  /authorization|bearer|cookie|auth\\?"|passw|passphrase|pwd|secret|token|credential|(?:api|access|private|signing|encryption|account)[_-]?key/i

/** A text of which this is false holds no secret of any form: most text is passed over at this speed. */
export function mayHoldSecret(text: string): boolean {
  return prefixes.test(text) || morePrefixes.test(text) || tellingWords.test(text)
}
