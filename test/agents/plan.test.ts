/**
 * A plan from a vague wish to its end with the real claude and the real codex, each against a model server of the test
 * that answers by the prompt: recall, questions to the user, shape (the first answer is refused), tasks, G1, two waves
 * with a task that fails first, counsel, reviews with a true and a false blocker, remediation, gate, G3 and a lesson.
 * The answers are the agents' own structured results.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { toldOfPlan, wholePlan } from '../rig/killed-plan.ts'
import { demoNodes, planEvents, type ScriptedTurn } from '../rig/plan.ts'
import { type Rig, readOr } from '../rig/rig.ts'
import type { ToolCall, Turn } from './model-server.ts'
import { placeFor, agentTest as test } from './real.ts'

type Planner = 'claude' | 'codex'

const shell: Record<Planner, (command: string) => ToolCall> = {
  claude: command => ({ name: 'Bash', input: { command, description: 'work' } }),
  codex: command => ({ name: 'exec_command', input: { cmd: command } }),
}

/** claude answers by calling a tool, and ends with that call; codex answers by its last message. */
const answering: Record<Planner, (answer: object) => Turn[]> = {
  claude: answer => [
    { say: 'I answer.', tools: [{ name: 'StructuredOutput', input: answer as Record<string, unknown> }] },
  ],
  codex: answer => [{ say: JSON.stringify(answer) }],
}

/** The edit as one line that a shell understands. */
function edited({ replace, write }: Pick<ScriptedTurn[number], 'replace' | 'write'>): string {
  const packed = Buffer.from(JSON.stringify({ replace, write })).toString('base64')
  const program =
    'const { replace, write } = JSON.parse(Buffer.from(process.argv[1], "base64"));' +
    'const { path } = replace ?? write;' +
    'fs.writeFileSync(path, write ? write.text : fs.readFileSync(path, "utf8").replace(replace.from, () => replace.to))'
  return `node -e '${program}' ${packed}`
}

function turnsOf(agent: Planner, items: ScriptedTurn): Turn[] {
  return items.flatMap(item => {
    if (item.answer) return answering[agent](item.answer)
    if (!item.replace && !item.write) return []
    return [{ say: 'I change it.', tools: [shell[agent](edited(item))] }, { say: 'That should be all.' }]
  })
}

/** The node that a prompt belongs to. Reviews of a later round come after those of the round before. */
const prompts: [RegExp, (found: string) => string][] = [
  [/Read this project and say what has to hold/, () => 'shape'],
  [/Split the work below into tasks/, () => 'tasks'],
  [/Be a panel of two to four viewpoints/, () => 'T-001/counsel-1'],
  [/This is one task \((T-\d+)\)/, task => task],
  [/Look at what this wave of tasks changed[^]*?(T-\d+): /, task => waves[task] ?? ''],
  [/Your viewpoint: (\w+)/, viewpoint => `review/${viewpoint}`],
  [/Reviewers have found what is listed below/, () => 'review/1/verify-1'],
  [/Answer each row of the checklist/, () => 'gate/2/checklist'],
  [/Compare what was assumed before the work/, () => 'deviations'],
]

const waves: Record<string, string> = {
  'T-001': 'wave-1/review',
  'T-003': 'wave-2/review',
  'T-004': 'wave-3/review',
}

function nodeAsked(body: string): string {
  for (const [words, name] of prompts) {
    const found = words.exec(body)
    if (found) return name(found[1] ?? '')
  }
  return 'unknown'
}

/** The turns that are left to play, by node. */
function scriptFor(agent: Planner): Map<string, Turn[]> {
  const script = new Map<string, Turn[]>()
  for (const [node, runs] of Object.entries(demoNodes())) {
    const key = node.replace(/^review\/\d+\/\d+-/, 'review/')
    script.set(key, [...(script.get(key) ?? []), ...runs.flatMap(items => turnsOf(agent, items))])
  }
  const shape = demoNodes()['shape']?.[0]?.find(({ answer }) => answer)?.answer
  const refused = answering[agent]({ ...shape, goal: 'TODO' })
  script.set('shape', [...refused, ...(script.get('shape') ?? [])])
  return script
}

const extra: Record<Planner, string[]> = { claude: [], codex: ['--model', 'gpt-5.1-codex'] }

/** The source of the answer to each question. */
function sourcesIn(rig: Rig): string[] {
  const members = planEvents(rig).flatMap(({ kind, data }) =>
    kind === 'node.started' && data.member !== null ? data.member : [],
  )
  const results = members.flatMap(member =>
    rig.events(member).flatMap(({ kind, data }) => (kind === 'promise.verified' ? data.results : [])),
  )
  return results.flatMap(({ source }) => source ?? [])
}

for (const agent of ['claude', 'codex'] as const) {
  // What each is told about the form of an answer: test/unit/adapters/agents/answers.
  const skip = agent !== 'claude' && !process.env['LOOP_LONG'] && 'as claude: LOOP_LONG=1'
  test(`${agent}: a vague wish is planned, done, reviewed, mended and remembered`, {
    skip,
    timeout: 600_000,
  }, async t => {
    const script = scriptFor(agent)
    const unknown: string[] = []
    const { rig, server } = await placeFor(t, agent, {
      turns: () => [],
      turnFor(body) {
        const node = nodeAsked(body)
        const turn = script.get(node)?.shift()
        if (!turn) unknown.push(node)
        return turn
      },
    })
    const ended = await rig.loop([...(await wholePlan(rig, agent)), ...extra[agent]])
    assert.equal(ended.code, 0, `${ended.stdout}${ended.stderr.slice(-4_000)}`)
    assert.match(ended.stdout, /<loop-complete>\nAll tasks verified:\n- T-001: ✓ [^]*╭─ 🟢 SHIP/)
    assert.deepEqual(unknown, [], 'every question to the model was one that loop puts')
    assert.deepEqual(server.strange, [])
    assert.deepEqual(
      [...script].filter(([, left]) => left.length > 0),
      [],
      'all of it was played',
    )
    const told = await toldOfPlan(rig)
    for (const node of [
      'recall',
      'G1',
      'T-001/counsel-1',
      'review/1/verify-1',
      'T-004/apply',
      'G3',
      'deviations',
    ])
      assert.ok(
        told.ends.some(end => end.startsWith(`${node} completed`)),
        node,
      )
    assert.match(told.cart, /items\.length === 0 \|\| total\(items\) >= 50/)
    assert.match(told.described, /sum of price times quantity/)
    assert.deepEqual(told.learnt.kept.length, 2)
    assert.deepEqual([...new Set(sourcesIn(rig))], ['native'])
    const shape = planEvents(rig).find(({ kind, data }) => kind === 'node.started' && data.node === 'shape')
    const member = shape?.kind === 'node.started' ? (shape.data.member ?? '') : ''
    assert.match(
      readOr(join(rig.dir(member), 'runs', '2', 'prompt')),
      /## What was wrong with the last answer\n- goal: "TODO" is a placeholder/,
    )
  })
}
