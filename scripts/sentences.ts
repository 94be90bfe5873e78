/**
 * npm run sentences: writes every sentence of a failure (kind and sample data, then the text) to
 * test/recordings/sentences.txt. A unit test compares it: a sentence changes only together with that file.
 */
import { writeFileSync } from 'node:fs'
import { sentenceTable } from '../test/rig/sentences/samples.ts'

writeFileSync('test/recordings/sentences.txt', sentenceTable().join('\n'))
