/** `loop template create`: a valid skeleton, and a template from the spec of a loop or a workflow. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startArgs } from '../../rig/rig.ts'
import { ownTemplate, put, templateRig } from '../../rig/templates/places.ts'

test('create writes a commented skeleton that is sound, to $LOOP_TEMPLATES_DIR, and never over a file', async t => {
  const rig = templateRig(t)
  const made = await rig.loop(['template', 'create', 'mine'])
  assert.equal(made.code, 0, made.stderr)
  const file = join(rig.named, 'mine.yaml')
  assert.match(readFileSync(file, 'utf8'), /^# .*\n[\s\S]*^name: mine$/m)
  assert.match((await rig.loop(['workflow', 'validate', file])).stdout, /mine: 1 loop, no mistakes/)
  const again = await rig.loop(['template', 'create', 'mine'])
  assert.deepEqual([again.code, again.stderr.includes(`${file} is there already.`)], [4, true])
  delete rig.env['LOOP_TEMPLATES_DIR']
  assert.equal((await rig.loop(['template', 'create', 'mine'])).code, 0)
  assert.ok(existsSync(join(rig.user, 'mine.yaml')))
  assert.match((await rig.loop(['template', 'create', '../mine'])).stderr, /cannot be the name of a template/)
})

test('create --from makes a template from the spec of a loop, which runs the same', async t => {
  const rig = templateRig(t)
  const promise = 'holds=test "$(cat done)" = "{{x}}"'
  const started = await rig.loop(
    startArgs("printf '{{x}}' > done", promise, '-n', '7', '--protect', 'kept/**'),
  )
  assert.equal(started.code, 0, started.stderr)
  const [id = ''] = rig.loops()
  const made = await rig.loop(['template', 'create', 'again', '--from', id])
  assert.equal(made.code, 0, made.stderr)
  const text = readFileSync(join(rig.named, 'again.yaml'), 'utf8')
  assert.match(text, /default: do the work/)
  assert.match(text, /max_iterations: 7/)
  rmSync(join(rig.tree, 'done'))
  const run = await rig.loop([
    'template',
    'run',
    'again',
    '--agent',
    'custom',
    '--agent-cmd',
    "printf '{{x}}' > done",
  ])
  assert.equal(run.code, 0, run.stdout + run.stderr)
  const specs = rig.loops().flatMap(one => {
    const [first] = rig.events(one)
    return first?.kind === 'loop.created' ? [first.data.spec] : []
  })
  const [before, after] = specs
  assert.deepEqual(after?.criteria, before?.criteria)
  assert.deepEqual([after?.prompt, after?.maxIterations, after?.protect], ['do the work', 7, ['kept/**']])
})

test('create --from a workflow is a copy of its file; from one of its steps it says where to look', async t => {
  const rig = templateRig(t)
  const file = put(
    join(rig.aside, 'flow.yaml'),
    ownTemplate('flow', `'"$LOOP_PROGRAM" --version && test -n "$LOOP_VAR_what" && test -e done'`),
  )
  const run = await rig.loop(['workflow', 'run', file, '--set', 'what=x', ...rig.agent])
  assert.equal(run.code, 0, run.stderr)
  const ids = rig.loops()
  const group = ids.find(id => rig.events(id)[0]?.kind !== 'loop.created') ?? ''
  const member = ids.find(id => id !== group) ?? ''
  assert.match(
    (await rig.loop(['template', 'create', 'a', '--from', group])).stdout,
    /It is a copy of .*flow\.yaml/,
  )
  assert.equal(readFileSync(join(rig.named, 'a.yaml'), 'utf8'), readFileSync(file, 'utf8'))
  const refused = await rig.loop(['template', 'create', 'b', '--from', member])
  assert.match(refused.stderr, new RegExp(`it is a part of ${group}`))
})
