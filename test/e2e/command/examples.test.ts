/**
 * Every example in every help text runs. Each belongs to one of these tests; the last test fails for an example without
 * one.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commands } from '../../../src/cli/command-table.ts'
import { plays, putPrograms } from '../../agents/stand-in.ts'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { attempts, atWork, daemon, looking, steering, threeIterations } from '../../rig/examples/of-loops.ts'
import {
  checked,
  gateNodes,
  planning,
  programs,
  settingUp,
  starting,
  templates,
  workflow,
} from '../../rig/examples/of-work.ts'
import { allExamples, runExamples } from '../../rig/examples/run.ts'
import { without } from '../../rig/needs.ts'
import { demoNodes, planScript, wholeAnswers } from '../../rig/plan.ts'
import { freePort } from '../../rig/port.ts'
import { ptyOf } from '../../rig/pty.ts'
import { makeRig, type Rig, root, startArgs } from '../../rig/rig.ts'
import { bugfix } from '../../rig/templates/bugfix.ts'
import { writeShop } from '../../rig/templates/shop.ts'

test('looking at a loop, and bringing its files back', { skip: without('jq') }, async t => {
  const scene = await threeIterations(t, makeRig(t))
  const { rig } = scene
  const far = join(rig.aside, 'far')
  mkdirSync(far)
  putPrograms(rig, { ssh: `shift; cd "${far}"; exec "$@"` })
  await runExamples(scene, looking)
  assert.ok(existsSync(join(far, `loop-${scene.words['a1b2c3']}`)), 'what was sent away is there')
  assert.deepEqual(
    ['made-1', 'made-2', 'made-3'].filter(name => existsSync(join(rig.tree, name))),
    ['made-3'],
    'the patch applies in reverse',
  )
})

test('steering a loop', async t => {
  const rig = makeRig(t)
  writeFileSync(join(rig.tree, 'hints.txt'), 'look at the cart\n')
  await runExamples({ t, rig, words: { a1b2c3: await atWork(rig) } }, steering)
})

test('attempts of a group', async t => {
  const rig = makeRig(t)
  const agent = 'mkdir -p src; echo "of $LOOP_ATTEMPT" > src/cart.js'
  const start = startArgs(agent, 'test -e src/cart.js', '--best-of', '3', '-n', '1', '--plain', '--json')
  const ended = await rig.loop(start)
  assert.equal(ended.code, 0, ended.stderr)
  await runExamples({ t, rig, words: { a1b2c3: JSON.parse(ended.stdout).id } }, attempts)
})

test('loopd and its page', async t => {
  const rig = makeDaemonRig(t)
  await rig.loop(['config', 'set', 'web_ui_port', String(await freePort())])
  putPrograms(rig, { systemctl: 'exit 0', 'xdg-open': 'echo "$1" > "$ASIDE/opened"' })
  await runExamples({ t, rig, words: {} }, daemon)
  assert.ok(existsSync(join(rig.aside, 'opened')), 'the page was opened')
})

/** Configures the agent for examples that name none. */
async function agentIs(rig: Rig, agent: string, command: string): Promise<void> {
  await rig.loop(['config', 'set', 'agent', agent])
  await rig.loop(['config', 'set', 'agent_cmd', command])
}

test('starting a loop', async t => {
  const rig = makeRig(t)
  putPrograms(rig, {
    ...programs,
    claude: `cat > /dev/null; touch done; ${plays('claude.out')}`,
    codex: 'exit 1',
  })
  rig.env['ANTHROPIC_API_KEY'] = 'a key'
  rig.write('task.md', 'make it right\n')
  await agentIs(rig, 'custom', 'touch done')
  await runExamples({ t, rig, words: {} }, starting)
})

test('checks of a step, templates and workflows', async t => {
  const rig = makeRig(t)
  writeShop(rig.tree)
  writeFileSync(join(rig.tree, 'implement-feature.yaml'), workflow)
  await agentIs(rig, 'custom', 'cp -r "$ASIDE/turn/." .')
  await runExamples({ t, rig, words: {} }, checked)
  const fresh = makeRig(t)
  writeShop(fresh.tree)
  writeFileSync(join(fresh.tree, 'implement-feature.yaml'), workflow)
  const plan = Object.fromEntries(
    Object.entries(bugfix).map(([step, acts]) => [step, acts.filter(({ says }) => says === 'honest')]),
  )
  writeFileSync(join(fresh.aside, 'plan.json'), JSON.stringify(plan))
  await agentIs(fresh, 'custom', `${process.execPath} ${join(root, 'test/rig/templates/agent.ts')}`)
  await runExamples({ t, rig: fresh, words: {} }, templates)
})

/** These take a minute and more; `npm test` covers the same paths in the tests of plans and of the demos. */
const skip = !process.env['LOOP_LONG'] && 'only with LOOP_LONG=1'

test('planning', { skip }, async t => {
  const rig = makeRig(t)
  const { 'review/2/1-correctness': turns = [] } = demoNodes()
  const clean = turns.flat().find(step => step.answer)?.answer
  writeFileSync(join(rig.aside, 'clean.json'), JSON.stringify(clean))
  const reviewer = 'cat > /dev/null; cp "$ASIDE/clean.json" "$LOOP_ANSWER_FILE"'
  putPrograms(rig, {
    claude: `${reviewer}; ${plays('claude.out')}`,
    codex: `${reviewer}; ${plays('codex.out')}`,
  })
  Object.assign(rig.env, { ANTHROPIC_API_KEY: 'a key', OPENAI_API_KEY: 'a key' })
  rig.write('answers.yaml', wholeAnswers)
  rig.write('spec.md', 'Fix total(), discounted() and shipping() in cart.js; done when node --test exits 0\n')
  await agentIs(rig, 'scripted', planScript(rig, gateNodes()))
  await runExamples({ t, rig, words: {} }, planning)
})

test('setting up', { skip: without('zsh') }, async t => {
  const rig = makeRig(t)
  const home = rig.env['HOME'] ?? ''
  for (const dir of ['.config/fish/completions', '.zsh']) mkdirSync(join(home, dir), { recursive: true })
  rig.env['FPATH'] = join(home, '.zsh')
  rig.env['CLAUDE_CODE_TASK_LIST_ID'] = 'of-the-examples'
  rig.write('task.md', 'fix the total of the cart\n')
  rig.write('spec.md', 'fix the total of the cart\n')
  await rig.loop(startArgs('touch work', 'test -e work', '--plain'))
  const claude = 'case "$1" in mcp) echo "added $3: $5 $6" ;; --version) echo 2.1.7 ;; *) echo "[]" ;; esac'
  putPrograms(rig, { ...programs, npm: 'exit 0', claude })
  await runExamples({ t, rig, words: {} }, settingUp)
  for (const file of ['.bash_completion', '.zsh/_loop', '.config/fish/completions/loop.fish'])
    assert.match(readFileSync(join(home, file), 'utf8'), /__complete/, file)
})

const demos = ['loop demo', 'loop demo best-of', 'loop demo workflow', 'loop demo plan']

for (const example of demos) {
  test(example, { skip }, async t => {
    const rig = makeRig(t)
    rig.env['TMPDIR'] = rig.aside
    await runExamples({ t, rig, words: {} }, { [example]: /<loop-complete>|completed/ })
  })
}

test('every example of every help text is run, and none that is in no help text', () => {
  const tables = [looking, steering, attempts, daemon, starting, checked, templates, planning, settingUp]
  const run = [...tables.flatMap(runs => Object.keys(runs)), ...demos]
  assert.deepEqual(run.toSorted(), allExamples.toSorted())
})

test('on 80 columns an example is broken as a shell reads it', async t => {
  const screen = ptyOf(t, { rig: makeRig(t), rows: 300 }, ['start', '--help'])
  assert.equal(await screen.ended, 0)
  const text = screen.all().join('\n')
  for (const example of commands.find(({ name }) => name === 'start')?.examples ?? [])
    assert.ok(
      text
        .replaceAll(/ \\\n {4}/g, ' ')
        .replaceAll(/\n {4}(?=# )/g, '   ')
        .includes(`  ${example}`),
      example,
    )
  assert.match(text, /^ {2}loop start "make the build pass" .* \\$/m)
})
