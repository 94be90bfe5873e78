/**
 * The examples in the help texts, run as they stand there: by a shell, in a scene that has what they speak of. Words
 * that stand for something in an example (`a1b2c3`) are given the value they have in the scene.
 */
import assert from 'node:assert/strict'
import { delimiter, dirname } from 'node:path'
import type { TestContext } from 'node:test'
import { commands } from '../../../src/cli/command-table.ts'
import { daemonCommands } from '../../../src/cli/table/loopd.ts'
import { ptyOf } from '../pty.ts'
import { type Ended, loopProgram, type Rig } from '../rig.ts'

export type ExampleRun = {
  /** What it prints, or shows on the terminal. */
  sees: RegExp
  code?: number
  /** It runs in a terminal, and this is typed once `sees` is there. */
  types?: string
  /** Another shell than sh. */
  shell?: string[]
  /** What has to be so before. */
  before?(scene: ExampleScene): Promise<void> | void
}

/** `words`: what the words of an example stand for. */
export type ExampleScene = { t: TestContext; rig: Rig; words: Record<string, string> }

/** By the text of the example. */
export type ExampleRuns = Record<string, RegExp | ExampleRun>

/** Every example of every command of both programs. */
export const allExamples = [...commands, ...daemonCommands].flatMap(({ examples }) => examples)

/** All of them in order, each as if typed; what is wrong with any of them is told together. */
export async function runExamples(scene: ExampleScene, runs: ExampleRuns): Promise<void> {
  const { t, rig, words } = scene
  rig.env['PATH'] = [dirname(loopProgram), rig.env['PATH']].join(delimiter)
  const wrong: string[] = []
  for (const [example, told] of Object.entries(runs)) {
    const run = told instanceof RegExp ? { sees: told } : told
    await run.before?.(scene)
    const typed = Object.entries(words).reduce((text, [word, value]) => text.replaceAll(word, value), example)
    const { code, text } = await played(t, rig, { typed, run })
    if (!run.sees.test(text) || code !== (run.code ?? 0))
      wrong.push(`$ ${typed}\n${text.slice(-1_000)}\nexit ${code}, and to be seen is ${run.sees}`)
  }
  assert.equal(wrong.join('\n\n'), '')
}

async function played(t: TestContext, rig: Rig, { typed, run }: { typed: string; run: ExampleRun }) {
  const [program = '', ...args] = [...(run.shell ?? ['/bin/sh', '-c']), typed]
  if (run.types === undefined) {
    const { code, stdout, stderr }: Ended = await rig.loop(args, { program })
    return { code, text: stdout + stderr }
  }
  const screen = ptyOf(t, { rig, columns: 160, program: [program] }, args)
  await screen.shows(run.sees)
  const text = screen.text()
  screen.type(run.types)
  return { code: await screen.ended, text }
}
