/** The journals that version 0.1.0 has folded, with its summary after every event: see scripts/record-folds. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Summary } from '../../src/core/loop/summary.ts'
import type { Recorded } from '../../src/model/loop/event.ts'

type Folded = { events: Recorded[]; summaries: Summary[] }

export function recordedFolds(): Folded[] {
  const file = new URL('../recordings/stores/0.1.0/folds.json.gz', import.meta.url)
  return JSON.parse(gunzipSync(readFileSync(file)).toString())
}
