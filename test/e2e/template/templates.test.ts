/**
 * `loop template` by the real program: the list and its places, the variables of a template, and trust in its file. See
 * templates-create for how a template is made, and templates-honest for its promises.
 */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, until } from '../../rig/rig.ts'
import { terminal, terminalTest } from '../../rig/screen.ts'
import { ownTemplate, put, templateRig } from '../../rig/templates/places.ts'

test('the built-in templates are listed with what they do, and each can be shown', async t => {
  const rig = makeRig(t)
  rig.write('package.json', '{ "scripts": { "test": "node --test" } }')
  const listed = JSON.parse((await rig.loop(['template', 'list', '--json'])).stdout)
  const names = ['bugfix', 'feature', 'performance', 'refactor', 'security', 'tdd']
  assert.deepEqual(
    listed.map(({ name }: { name: string }) => name),
    names,
  )
  const text = (await rig.loop(['template'])).stdout
  assert.match(text, /^tdd +built in +Test-driven development; red, green, refactor$/m)
  for (const name of names) {
    const shown = await rig.loop(['template', 'show', name])
    assert.equal(shown.code, 0, shown.stdout + shown.stderr)
    assert.match(shown.stdout, /^ {2}promise +"\$LOOP_PROGRAM" check \w+/m, name)
    assert.match(shown.stdout, /^ {2}test: npm test \(package\.json script "test"\)$/m, name)
  }
})

test('steps of the built-in templates are those of the specification', async t => {
  const rig = makeRig(t)
  const steps = {
    tdd: ['red', 'green', 'refactor'],
    bugfix: ['reproduce', 'fix', 'verify'],
    refactor: ['baseline', 'refactor', 'cleanup'],
    feature: ['design', 'test', 'implement', 'build'],
    security: ['audit', 'fix', 'harden', 'verify'],
    performance: ['baseline', 'profile', 'optimize', 'verify'],
  }
  for (const [name, expected] of Object.entries(steps)) {
    const shown = await rig.loop(['template', 'show', name, '--json'])
    const { workflow } = JSON.parse(shown.stdout)
    assert.deepEqual(
      workflow.loops.map(({ id }: { id: string }) => id),
      expected,
      name,
    )
  }
})

test('of two templates of one name the later place wins, and the hidden one is named', async t => {
  const rig = templateRig(t)
  const found = async () => JSON.parse((await rig.loop(['template', 'show', 'tdd', '--json'])).stdout)
  assert.equal((await found()).place, 'built in')
  const user = put(join(rig.user, 'tdd.yaml'), ownTemplate('tdd'))
  assert.deepEqual([(await found()).place, (await found()).path], ['yours', user])
  const named = put(join(rig.named, 'tdd.yml'), ownTemplate('tdd'))
  assert.deepEqual([(await found()).place, (await found()).path], ['$LOOP_TEMPLATES_DIR', named])
  const project = put(join(rig.project, 'tdd.yaml'), ownTemplate('tdd'))
  const last = await found()
  assert.deepEqual([last.place, last.path], ['project', project])
  assert.deepEqual(
    last.shadows.map((one: { place: string }) => one.place),
    ['$LOOP_TEMPLATES_DIR', 'yours', 'built in'],
  )
  const run = await rig.loop(['template', 'run', 'tdd', '--set', 'what=x', ...rig.agent, '--trust'])
  assert.equal(run.code, 0, run.stderr)
  assert.ok(
    run.stderr.includes(
      `tdd is ${project} (project); it hides ${named} ($LOOP_TEMPLATES_DIR), ${user} (yours), `,
    ),
  )
})

test('a template of the project runs only once exactly this content is trusted', async t => {
  const rig = templateRig(t)
  const file = put(join(rig.project, 'mine.yaml'), ownTemplate('mine'))
  const run = (...more: string[]) =>
    rig.loop(['template', 'run', 'mine', '--set', 'what=x', ...rig.agent, ...more])
  const refused = await run()
  assert.equal(refused.code, 4)
  assert.match(refused.stderr, /mine\.yaml is not trusted, and nothing of it was run/)
  assert.deepEqual(rig.loops(), [])
  assert.equal((await run('--trust')).code, 0)
  assert.equal((await run()).code, 0)
  writeFileSync(file, ownTemplate('mine', 'touch stolen'))
  const changed = await run()
  assert.match(changed.stderr, /has changed since you trusted it/)
  assert.equal(existsSync(join(rig.tree, 'stolen')), false)
})

test('a missing value is named, a wrong name corrected, a missing command said', async t => {
  const rig = makeRig(t)
  const agent = ['--agent', 'custom', '--agent-cmd', 'true']
  const missing = await rig.loop(['template', 'run', 'bugfix', ...agent])
  assert.equal(missing.code, 4)
  assert.match(missing.stderr, /The template bugfix needs a value: --set bug=… \(what is wrong, such as: /)
  const wrong = await rig.loop(['template', 'run', 'bugfx', ...agent])
  assert.match(wrong.stderr, /There is no template bugfx\. Did you mean bugfix\?/)
  assert.match((await rig.loop(['template', 'lst'])).stderr, /Did you mean: loop template list/)
  const unset = await rig.loop([
    'template',
    'run',
    'bugfix',
    '--set',
    'bgu=x',
    '--set',
    'bug=x',
    '--set',
    'test=true',
    ...agent,
  ])
  assert.match(unset.stderr, /has no variable bgu\. Did you mean --set bug=…\?/)
  const bare = await rig.loop(['template', 'run', 'tdd', '--set', 'feature=x', ...agent])
  assert.equal(bare.code, 4)
  assert.match(
    bare.stderr,
    /The template tdd needs a test command, and loop found none in this project\. Give it: --set test="…"/,
  )
  assert.deepEqual(rig.loops(), [])
})

terminalTest('on a terminal a missing value is asked for', async t => {
  const rig = templateRig(t)
  put(join(rig.user, 'mine.yaml'), ownTemplate('mine'))
  const screen = terminal(rig, ['template', 'run', 'mine', ...rig.agent, '--plain'])
  await until('the question', () => screen.text().includes('what, what to make:'))
  screen.type('a cake', 'Enter')
  await until('the end', () => screen.text().includes('ended with 0'))
  const spec = rig
    .loops()
    .map(id => rig.events(id)[0])
    .find(event => event?.kind === 'loop.created')
  assert.ok(spec?.kind === 'loop.created' && spec.data.spec.prompt === 'Make a cake')
})

test('the prompt of a start is the first variable of its template; --set gives the others', async t => {
  const rig = templateRig(t)
  put(
    join(rig.user, 'mine.yaml'),
    ownTemplate('mine')
      .replace('Make {{what}}', 'Make {{what}} in {{colour}}')
      .replace('loops:', '  colour: red\nloops:'),
  )
  const started = await rig.loop([
    'start',
    'a cake',
    '--template',
    'mine',
    '--set',
    'colour=blue',
    ...rig.agent,
  ])
  assert.equal(started.code, 0, started.stderr)
  const specs = rig.loops().flatMap(id => {
    const [first] = rig.events(id)
    return first?.kind === 'loop.created' ? [first.data.spec.prompt] : []
  })
  assert.deepEqual(specs, ['Make a cake in blue'])
  const refused = await rig.loop(['start', 'x', '--template', 'mine', '-p', 'true'])
  assert.match(refused.stderr, /--promise does not go with --template/)
  assert.match(
    (await rig.loop(['start', 'x', '-p', 'true', '--set', 'a=b'])).stderr,
    /--set goes with --template/,
  )
})

test('--dry-run shows the commands with the files that say so, and runs nothing', async t => {
  const rig = makeRig(t)
  rig.write('package.json', '{ "scripts": { "test": "node --test", "lint": "eslint ." } }')
  rig.write('pnpm-lock.yaml', '')
  const agent = ['--agent', 'custom', '--agent-cmd', 'touch ran']
  const dry = await rig.loop([
    'template',
    'run',
    'tdd',
    '--set',
    'feature=x',
    '--set',
    'lint=true',
    '-n',
    '7',
    '--dry-run',
    ...agent,
  ])
  assert.equal(dry.code, 0, dry.stderr)
  assert.match(dry.stdout, /^test: pnpm test \(package\.json script "test", pnpm-lock\.yaml\)\nlint: true$/m)
  assert.match(dry.stdout, /^ {2}limits {6}7 iterations\n {14}-n 7 lowers 15 to 7$/m)
  assert.match(dry.stdout, /Nothing was run\.$/m)
  assert.deepEqual([rig.loops(), existsSync(join(rig.tree, 'ran'))], [[], false])
})

test('a suite that fails before the red step stops it before an agent runs', async t => {
  const rig = makeRig(t)
  rig.write(
    'a.test.mjs',
    "import { test } from 'node:test'\ntest('broken', () => { throw new Error('no') })\n",
  )
  const run = await rig.loop([
    'template',
    'run',
    'tdd',
    '--set',
    'feature=x',
    '--set',
    'test=node --test',
    '--agent',
    'custom',
    '--agent-cmd',
    'touch ran',
  ])
  assert.equal(run.code, 1, run.stderr)
  assert.equal(existsSync(join(rig.tree, 'ran')), false)
  const [first = ''] = rig.loops().filter(id => rig.events(id)[0]?.kind === 'loop.created')
  const shown = await rig.loop(['logs', first, '--promise'])
  assert.match(
    shown.stdout,
    /check red: The suite is not green before this step: 1 failing \(broken\), exit 1\./,
  )
})

test('a check gives no verdict outside of a promise', async t => {
  const rig = makeRig(t)
  const asked = await rig.loop(['check', 'green', '--test', 'true'])
  assert.equal(asked.code, 4)
  assert.match(asked.stderr, /loop check is a part of a promise/)
  assert.match((await rig.loop(['check', 'gren'])).stderr, /Did you mean: loop check green/)
})
