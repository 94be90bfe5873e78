/**
 * A quick test whether a text may contain a secret at all. Most text contains none, and only suspicious text is read
 * word by word (secrets/forms). This file is small, so that a table of loops can load it alone.
 */

// Three patterns: each is several times faster than one pattern for all.
export const prefixes =
  /AKIA|ASIA|gh[pousr]_|github_pat|gl[a-z]{2,5}-|xox|xapp-|hooks\.slack|[sr]k[_-]|whsec_|AIza|ya29|GOCSPX/
export const morePrefixes =
  /do[opr]_v1_|shp[a-z]{2}_|\d:AA|npm_|pypi-|hf_|SG\.|AGE-S|eyJ|-----BEGIN|:\/\/[^\s/]{1,600}@/
// Each pattern matches within one word and the separator after it, because text is judged in pieces that end at a word.
export const tellingWords =
  /authorization|bearer|cookie|auth\\?"|passw|passphrase|pwd|secret|token|credential|(?:api|access|private|signing|encryption|account)[_-]?key/i

/** False: the text contains no secret of any form. Most text takes only this test. */
export function mayHoldSecret(text: string): boolean {
  return prefixes.test(text) || morePrefixes.test(text) || tellingWords.test(text)
}
