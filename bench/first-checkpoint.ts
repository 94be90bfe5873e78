/** The first checkpoint of a tree in a process that has just started, as in `loop start`; prints its time in ms. */

import { gitCheckpoints } from '../src/checkpoints/git/backend.ts'
import { failureWords } from '../src/failures/words.ts'

const [tree = '', store = ''] = process.argv.slice(2)
const checkpoints = gitCheckpoints({ tree, store })
const { signal } = new AbortController()
const began = performance.now()
const taken = await checkpoints.take({ loop: 'bench', name: 'c-1', since: null, signal })
const tookMs = performance.now() - began
if (!taken.ok) throw new Error(failureWords(taken.failure))
console.log(tookMs)
