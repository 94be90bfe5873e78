/**
 * A reporter of `node --test` for `LOOP_TIMES=1 npm test` and its parts: the seconds of each test file and of each
 * folder, slowest first. It is time on the clock without the start of the file's process, while several files run
 * at once: compare files of one run, not runs of two machines.
 */
import { dirname, relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

export default async function* times(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Map<string, number>()
  for await (const event of events)
    if (event.type === 'test:summary' && event.data.file !== undefined)
      files.set(relative('.', event.data.file), event.data.duration_ms)
  const folders = new Map<string, number>()
  for (const [file, ms] of files) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + ms)
  yield `\nseconds by folder\n${rows(folders)}\nseconds by file\n${rows(files)}`
}

function rows(spent: Map<string, number>): string {
  return Array.from(spent)
    .sort(([, a], [, b]) => b - a)
    .map(([path, ms]) => `${(ms / 1000).toFixed(1).padStart(8)}  ${path}\n`)
    .join('')
}
