/**
 * The parts of an agent's Markdown report that a program can judge: its sections and their real content, its
 * entries, and the code positions (`src/db.js:12`) that they name. The caller knows whether a position exists.
 * Whether the report is true is for a person to judge.
 */

type Section = { title: string; body: string }

/** One item of a section: below its own heading, or an item of a list, with all its lines. */
export type ReportEntry = { id: string; text: string }

type Place = { path: string; line: number }

/** The lines of a file; null if there is no such file. */
type LinesOf = (path: string) => string[] | null

export function sectionNamed(markdown: string, title: string): string | null {
  const wanted = title.trim().toLowerCase()
  const found = sectionsIn(markdown).find(
    section => section.title.toLowerCase().replace(/[:.]$/, '') === wanted,
  )
  return found?.body ?? null
}

function sectionsIn(markdown: string): Section[] {
  const sections: Section[] = []
  for (const line of markdown.split('\n')) {
    const [, title] = /^##? +(.+?) *#*$/.exec(line) ?? []
    const last = sections.at(-1)
    if (title !== undefined) sections.push({ title, body: '' })
    else if (last) last.body += `${line}\n`
  }
  return sections
}

/** The number of meaningful words: without headings, list marks and placeholders. */
export function substanceOf(body: string): number {
  return body
    .replaceAll(/^#+ .*$/gm, '')
    .replaceAll(/\b(?:TODO|TBD|FIXME|N\/A|none|lorem ipsum)\b/gi, '')
    .replaceAll(/<[^>\n]*>|…|\.{3}/g, '')
    .replaceAll(/[\s*_`#>|-]+/g, '').length
}

export function entriesIn(body: string): ReportEntry[] {
  const entries: ReportEntry[] = []
  for (const line of body.split('\n')) {
    const [, item] = /^(?:#{3,} +|[-*+] +|\d+[.)] +)(\S.*)$/.exec(line) ?? []
    const last = entries.at(-1)
    if (item !== undefined && !(/^[-*+\d]/.test(line) && last?.text.startsWith('###'))) {
      entries.push({ id: /^\W*([A-Z]+-?\d+)\b/.exec(item)?.[1] ?? item.slice(0, 40), text: line })
    } else if (last) last.text += `\n${line}`
  }
  return entries
}

export function placesIn(text: string): Place[] {
  const found = text.matchAll(/(?<![\w/])((?:[\w.@-]+\/)*[\w.@-]+\.[A-Za-z]\w*):(\d{1,6})\b/g)
  return Array.from(found, ([, path = '', line = '']) => ({
    path: path.replace(/^\.\//, ''),
    line: Number(line),
  }))
}

export function isThere({ path, line }: Place, linesOf: LinesOf): boolean {
  const lines = linesOf(path)
  return lines !== null && line >= 1 && line <= lines.length
}

const around = 3

/** Tells whether text in backquotes of the entry occurs at or near one of its positions. */
export function quotesItsPlace(text: string, linesOf: LinesOf): boolean {
  const quotes = Array.from(text.matchAll(/`([^`\n]{4,})`/g), ([, quoted = '']) =>
    quoted.replaceAll(/\s+/g, ''),
  )
  const fenced = Array.from(text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```/gm), ([, code = '']) => code)
  quotes.push(...fenced.flatMap(code => code.split('\n')).map(line => line.replaceAll(/\s+/g, '')))
  return placesIn(text).some(({ path, line }) => {
    const lines = linesOf(path)?.slice(Math.max(0, line - 1 - around), line + around) ?? []
    const there = lines.map(one => one.replaceAll(/\s+/g, '')).join('\n')
    return quotes.some(quoted => quoted.length >= 4 && !placesIn(quoted)[0] && there.includes(quoted))
  })
}

/** The amount of the entry's own words, without positions and quotes. */
export function ownWords(text: string): number {
  return substanceOf(text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').replaceAll(/`[^`\n]*`/g, ''))
}
