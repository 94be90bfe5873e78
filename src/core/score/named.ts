/**
 * The things that a text names, and which of them are named as a place ("in the settings page"). Words without
 * content ("better", "the app") are skipped.
 */

/** Words without content. */
const empty = new Set(
  `a an and are as at be but by can do does for from get give go good had has have how i if in into is it its
  just let like make makes making me more much my need needs of on or our out please really should so some than
  that the their them then there these they this those to too up us very want we what when where which will with
  would you your better best nice nicer great well right proper properly correct correctly modern clean
  cleaner improve improved improvement fix fixes fixed work works working change update handle look thing things
  stuff everything anything something all every whole app application project code codebase system program
  software site website repo repository product tool bug bugs issue issues problem problems none stated`.split(
    /\s+/,
  ),
)

/** Words with content that name no thing: a quote continues with the words after them. */
const verbs = new Set(
  `add adds adding allow allows build builds create creates delete deletes enable fast faster implement implements introduce
  merge merged migrate move new no pr refactor remove removes rename replace show shows speed support use uses using
  write writes`.split(/\s+/),
)

/** A named thing; `where`: it is named as a place; `isThing`: it is more than a verb. */
type Part = { words: string; where: boolean; isThing: boolean }

/** The named things in order; if there are none, the first word with content. */
export function parts(spec: string): Part[] {
  const words = Array.from(spec.matchAll(/[\p{L}][\p{L}\p{N}-]+/gu), ({ 0: text, index }) => ({
    text,
    index,
  }))
  const named: (Part & { end: number })[] = []
  let where = false
  for (const { text, index } of words) {
    const word = text.toLowerCase()
    const last = named.at(-1)
    const end = index + text.length
    if (empty.has(word) || verbs.has(word)) where = isWhere(word, where)
    else if (last && /^\s+$/.test(spec.slice(last.end, index))) {
      Object.assign(last, { words: `${last.words} ${text}`, end })
    } else named.push({ words: text, where, isThing: true, end })
    if (!empty.has(word)) where = false
  }
  if (named.length > 0) return named
  const telling = words.find(({ text }) => !empty.has(text.toLowerCase()))
  return telling ? [{ words: telling.text, where: false, isThing: false }] : []
}

/** After `in the`: an article in between changes nothing. */
function isWhere(word: string, before: boolean): boolean {
  if (['in', 'into', 'on', 'at', 'to', 'of', 'for', 'from'].includes(word)) return true
  return before && ['the', 'a', 'an', 'our', 'my', 'your', 'its', 'this'].includes(word)
}
