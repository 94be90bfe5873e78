/** The examples that start work, plan it, or set loop up, and what they are run with. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workflowChecklists } from '../../../src/core/score.ts'
import { offerLearnings } from '../../../src/engine/learnings.ts'
import { planScript, samplePlan, warnedNodes } from '../plan.ts'
import { planTerminal } from '../plan-terminal.ts'
import { bugfix } from '../templates/bugfix.ts'
import type { ExampleRuns, ExampleScene } from './run.ts'

/** The programs that the examples speak of: each passes once the work is done. */
export const programs = {
  npm: 'test -e done',
  make: 'test -e done',
  cargo: 'test -e done',
  'my-agent': 'test "$1" = --yes && cat > "$ASIDE/asked"; touch done',
}

const undone = ({ rig }: ExampleScene) => rmSync(join(rig.tree, 'done'), { force: true })
const holds = { sees: /completed: the promise holds/, before: undone }

export const starting: ExampleRuns = {
  'loop start "fix the failing tests" -p "npm test"': holds,
  [`loop start - -p "cargo test" --agent custom --agent-cmd 'my-agent --yes' < task.md`]: holds,
  'loop start "make the build pass" -p "make" -n 20 --timeout 15m --agent claude --fallback-agent codex': {
    sees: /completed: the promise holds/,
    async before(scene) {
      undone(scene)
      await scene.rig.loop(['config', 'unset', 'agent_cmd'])
    },
  },
  'loop start "port it to ESM" -p "npm test" --session   # typed, or run by the agent, inside a session': {
    sees: /session/,
    before: undone,
  },
}

const honest = (step: string) => bugfix[step]?.find(({ says }) => says === 'honest')?.files ?? {}

/** What the agent of the next example does: it writes these files. */
const turn =
  (step: string) =>
  ({ rig }: ExampleScene) =>
    Object.entries(honest(step)).forEach(([path, text]) => {
      mkdirSync(join(rig.aside, 'turn', path, '..'), { recursive: true })
      writeFileSync(join(rig.aside, 'turn', path), text ?? '')
    })

export const checked: ExampleRuns = {
  [`loop start "write a failing test for the empty cart" -p '"$LOOP_PROGRAM" check red --test "npm test"'`]: {
    sees: /completed: the promise holds/,
    before: turn('reproduce'),
  },
  [`loop start "make it pass" -p '"$LOOP_PROGRAM" check green --test "npm test"'`]: {
    sees: /completed: the promise holds/,
    before: turn('fix'),
  },
}

export const templates: ExampleRuns = {
  'loop template list': /^tdd /m,
  'loop template show tdd': /red/,
  'loop template run tdd --set feature="an empty cart has the total 0" --dry-run': /npm test/,
  'loop start "the total of an empty cart is NaN" --template bugfix': /✓ verify: the promise holds/,
  'loop workflow run implement-feature.yaml --set feature=user-auth --dry-run': /user-auth/,
  'loop workflow validate implement-feature.yaml --set feature=user-auth': /implement-feature/,
  'loop workflow graph implement-feature.yaml --format mermaid': /graph|flowchart/,
  'loop workflow schema > workflow.schema.json': /^$/,
}

export const workflow = `name: implement-feature
vars:
  feature: { description: what is built }
loops:
  - id: tests
    prompt: write the tests of {{feature}}
    promise: test -e tests
  - id: code
    prompt: implement {{feature}}
    promise: npm test
    depends_on: [tests]
`

/** The files of the sample project as they were, with what the examples read. */
const sample = ({ rig }: ExampleScene) => {
  rmSync(join(rig.tree, 'CART.md'), { force: true })
  samplePlan(rig)
}

/** A plan that asks what becomes of a finding. */
async function foundInReview(scene: ExampleScene): Promise<void> {
  const { t, rig } = scene
  sample(scene)
  const agent = ['--agent', 'scripted', '--agent-cmd', planScript(rig, warnedNodes())]
  const limits = ['--force', '-n', '20', '--budget', '25', '--task-list', 'new', '--state', 'keep']
  const spec = 'Fix the cart so that all tests pass, in cart.js'
  const { answers: give, screen } = planTerminal(t, rig, ['plan', spec, '--fresh', ...agent, ...limits])
  await give([
    ['Use this?', 'no'],
    ['Proceed?', 'yes'],
    ['Continue?', 'yes'],
    ['Step T-003', 'yes'],
  ])
  await screen.shows('WARNING f-30acde3416')
}

/** What is asked at the gate depends on the kind of work: each try answers that of one kind. */
export function gateNodes() {
  const tries = Object.values(workflowChecklists).map(items => [
    { answer: { rows: items.map(item => ({ item, answer: 'as it was planned', evidence: 'cart.js:5' })) } },
  ])
  return { 'gate/1/checklist': tries, 'gate/2/checklist': tries }
}

const complete = { sees: /<loop-complete>/, before: sample }

export const planning: ExampleRuns = {
  'loop plan "add a /health endpoint to server.js that returns 200; no new dependencies; all tests pass"':
    complete,
  'loop plan - --yes --reviewers claude,codex < spec.md': complete,
  'loop plan "make the cart faster" --answers answers.yaml --no-input': complete,
  'loop review @last': { sees: /^Review 1: \d+ finding/m, before: foundInReview },
  'loop review a1b2c3 f-90ab12cd34 task': {
    sees: /Finding f-\w+ of plan \w+: task\./,
    async before({ rig, words }) {
      const { stdout } = await rig.loop(['review', '@last', '--json'])
      const { id, rounds } = JSON.parse(stdout)
      Object.assign(words, { a1b2c3: id, 'f-90ab12cd34': rounds[0].findings[0].id })
    },
  },
}

const offered = {
  id: 'l-a1b2c3',
  at: '2026-11-17T10:00:00.000Z',
  kind: 'discovery' as const,
  text: 'stripe webhooks come twice',
  before: 'each event comes once',
  found: 'retries repeat them',
  loop: 'a1b2c3',
}

export const settingUp: ExampleRuns = {
  'loop score "fix /api/auth/token: p95 latency <100ms, no new deps"': /\d+\/10/,
  'loop score - < task.md': /\d+\/10/,
  'loop task add "Implement user login" --verify "npm test -- login" --files src/login.ts':
    /^T-001 .*pending/m,
  'loop task add "Write the guide" --blocked-by T-001': /^T-002 /m,
  'loop task update T-001 completed': /T-001 .*completed/,
  'loop task list': /T-002/,
  'loop learn': /learnings/,
  'loop learn add "the sandbox of the payment provider answers only with the amount in cents"': /l-\w{6}/,
  'loop learn add "prefer deleting code to configuring it" --as maxim': /maxim/,
  'loop learn accept l-a1b2c3': {
    sees: /accepted: l-a1b2c3/,
    before: ({ rig }) => offerLearnings({ paths: rig.paths, tree: rig.tree }, [offered]),
  },
  'loop recall "fix the cart total"': /./,
  'loop recall - --json < spec.md': /^\{|^\[/,
  'loop init login-feature': /LOOP_DIR/,
  'loop init login-feature --goal "users can log in" -p "npm test"': {
    sees: /LOOP_DIR/,
    before: async ({ rig }) => void (await rig.loop(['cancel', '--session'])),
  },
  [`echo '{"session_id":"s1","cwd":"/project"}' | loop hook stop`]: /^/,
  'loop plugin install claude': /is in Claude Code/,
  'loop plugin install opencode --project': /opencode/,
  'loop plugin uninstall claude': /is not in Claude Code/,
  'loop config': /^KEY +VALUE +FROM/m,
  'loop config set timeout 15m': /timeout is now 15m/,
  'loop config set max_iterations 20 --project': /max_iterations is now 20/,
  'loop config get agent': /^\w+$/m,
  'loop config trust': /is trusted until it changes/,
  'loop completion bash >> ~/.bash_completion   # or for this shell: source <(loop completion bash)': /^$/,
  [`loop completion zsh > "\${fpath[1]}/_loop"`]: { sees: /^$/, shell: ['zsh', '-f', '-c'] },
  'loop completion fish > ~/.config/fish/completions/loop.fish': /^$/,
  'loop mcp': /^/,
  'claude mcp add loop -- loop mcp': /added loop: loop mcp/,
  'loop doctor': /^ok +git/m,
  'loop doctor --json': /"checks":\[/,
  'loop doctor --restore': {
    sees: /The store is restored from its backup/,
    before: ({ rig }) => writeFileSync(rig.paths.database, 'no database\n'.repeat(500)),
  },
}
