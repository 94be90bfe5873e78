/** The recorded streams of the agents (test/recordings), and the items that the readers make of them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { agents } from '../../src/adapters/agents/agent.ts'
import { addItem, noReport, type Report, type RunEnding } from '../../src/core/loop/run-report.ts'
import type { AgentName, Item } from '../../src/model/agent.ts'
import { agentWords } from '../../src/views/text/agent-words.ts'
import { root } from './rig.ts'

export const streams = join(root, 'test', 'recordings')
const now = new Date(2026, 10, 16, 0, 40).getTime()
/** The end of a run of which only the stream is known. */
export const unknown: RunEnding = {
  at: now,
  how: 'exited',
  before: null,
  model: null,
  price: null,
  told: { costUsd: null, edited: null, question: null, problem: null },
  complaint: '',
  clean: text => text,
  endsItself: true,
  reportsCost: true,
}

export const tokens = (input: number, output: number, cached = 0) => ({ input, cached, output })
export function agentOf(file: string): AgentName {
  return basename(file).split(/[-.]/)[0] as AgentName
}

export function itemsOf(file: string, lines: string[]): Item[] {
  const read = agents[agentOf(file)].read?.(() => now)
  assert.ok(read)
  return lines.flatMap(line => read(line, file.endsWith('.err') ? 'err' : 'out'))
}

export function reported(file: string, lines: string[]): Report {
  const report = noReport()
  const words = agentWords()
  for (const item of itemsOf(file, lines)) {
    addItem(report, item)
    assert.equal(typeof words(item), 'string')
  }
  return report
}

export const linesOf = (file: string) => readFileSync(join(streams, file), 'utf8').trimEnd().split('\n')
