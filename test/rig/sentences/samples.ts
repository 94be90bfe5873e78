/**
 * Every kind of failure and of recorded reason with sample data: the compiler misses a kind without a sample, and holds
 * the data to their kind. The kinds are known by `Facts` alone, so that this stays when their definitions move.
 */
import type { Facts } from '../../../src/failures/all.ts'
import { factWords } from '../../../src/failures/words.ts'
import { recordedSamples } from './recorded.ts'
import { systemSamples } from './system.ts'
import { usageSamples } from './usage.ts'
import { workSamples } from './work.ts'

type Data<K extends Facts['kind']> = Omit<Extract<Facts, { kind: K }>, 'kind'>

/** At least one for each kind. */
export type Samples = { [K in Facts['kind']]: [Data<K>, ...Data<K>[]] }

const samples: Samples = { ...usageSamples, ...workSamples, ...systemSamples, ...recordedSamples }

/** Kind, data and sentence of each sample, by the alphabet: the same wherever a kind is defined. */
export function sentenceTable(): string[] {
  const kinds = Object.entries(samples).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return kinds.flatMap(([kind, data]) => data.map(one => row(kind, one)))
}

function row(kind: string, data: object): string {
  const text = factWords({ kind, ...data } as Facts)
  return `${kind} ${JSON.stringify(data)}\n${text.replaceAll(/^/gm, '    ')}\n`
}
