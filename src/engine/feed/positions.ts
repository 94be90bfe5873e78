/**
 * The positions of a browser tab in everything that it follows: the list, journals, outputs, texts of agents. As
 * text they are the id of a frame, which a reader sends to continue exactly after it:
 * `812;a1b2c3:40;a1b2c3/2/out:1200;a1b2c3/2:7`.
 */

type OutputPlace = { loop: string; run: number; file: 'out' | 'err' }
type WordsPlace = { loop: string; run: number }

/** `list`: the revision after which rows are wanted; null: no rows. The others are maps by the thing followed. */
export type Positions = {
  revision: number
  followsList: boolean
  /** Journal id → the number of the reader's last event. */
  journals: Map<string, number>
  /** `id/run/out` → the next line. */
  outputs: Map<string, number>
  /** `id/run` → the next item. */
  words: Map<string, number>
}

/** The limit per kind: each followed thing costs a look ten times a second. */
export const mostFollowed = 16

const journalForm = /^([a-z0-9]{6}):(\d{1,15})$/
const outputForm = /^([a-z0-9]{6}\/[1-9]\d{0,5}\/(?:out|err)):(\d{1,15})$/
const wordsForm = /^([a-z0-9]{6}\/[1-9]\d{0,5}):(\d{1,15})$/

type Asked = {
  list?: string | undefined
  journals?: string | undefined
  outputs?: string | undefined
  words?: string | undefined
}

/** Null if the syntax is wrong or too much is asked for. */
export function positionsFrom({ list, journals, outputs, words }: Asked): Positions | null {
  const parts = {
    journals: mapOf(journals, journalForm),
    outputs: mapOf(outputs, outputForm),
    words: mapOf(words, wordsForm),
  }
  if (!parts.journals || !parts.outputs || !parts.words) return null
  return {
    revision: Number(list ?? 0),
    followsList: list !== undefined,
    journals: parts.journals,
    outputs: parts.outputs,
    words: parts.words,
  }
}

function mapOf(text: string | undefined, form: RegExp): Map<string, number> | null {
  const found = (text ?? '')
    .split(',')
    .filter(part => part !== '')
    .map(part => form.exec(part))
  if (found.length > mostFollowed || found.some(match => match === null)) return null
  return new Map(found.map((match): [string, number] => [match?.[1] ?? '', Number(match?.[2])]))
}

export function positionText({ revision, journals, outputs, words }: Positions): string {
  const rest = [...journals, ...outputs, ...words].map(([name, at]) => `;${name}:${at}`)
  return `${revision}${rest.join('')}`
}

/** Keeps the set of followed things; those that the frame `id` names continue from its positions. */
export function resumedAt(asked: Positions, id: string | null): Positions {
  const [revision = '', ...parts] = (id ?? '').split(';')
  if (!/^\d{1,15}$/.test(revision)) return asked
  const known = new Map(
    parts.flatMap(part => {
      const [, name, at] = /^([\w/]{6,30}):(\d{1,15})$/.exec(part) ?? []
      return name === undefined ? [] : [[name, Number(at)] as const]
    }),
  )
  const moved = (before: Map<string, number>) =>
    new Map(Array.from(before, ([name, at]): [string, number] => [name, known.get(name) ?? at]))
  return {
    revision: Number(revision),
    followsList: asked.followsList,
    journals: moved(asked.journals),
    outputs: moved(asked.outputs),
    words: moved(asked.words),
  }
}

export function outputPlace(name: string): OutputPlace {
  const [loop = '', run = '', file] = name.split('/')
  return { loop, run: Number(run), file: file === 'err' ? 'err' : 'out' }
}

export function wordsPlace(name: string): WordsPlace {
  const [loop = '', run = ''] = name.split('/')
  return { loop, run: Number(run) }
}
