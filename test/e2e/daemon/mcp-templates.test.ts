/** Templates over `loop mcp`, by the real program and the official client: the list, and a run of one. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { onlyGroup } from '../../rig/group.ts'
import { connect } from '../../rig/mcp-client.ts'
import { readOr, until } from '../../rig/rig.ts'

const greeting = `name: greeting
description: writes a greeting, then signs it
env:
  WHOM: "{{whom}}"
vars:
  whom:
    required: true
    description: who is greeted
loops:
  - id: greet
    prompt: greet {{whom}}
    promise: test -f greeted
  - id: sign
    prompt: sign
    promise: test -f signed
    depends_on: [greet]
`
const agent = 'case $LOOP_NODE in greet) printf %s "$WHOM" > greeted;; sign) touch signed;; esac'
const custom = { agent: 'custom', agent_cmd: agent }

test('a template is found with its variables, run with values of any form, and refused with the reason', async t => {
  const rig = makeDaemonRig(t)
  mkdirSync(rig.paths.userTemplates, { recursive: true })
  writeFileSync(join(rig.paths.userTemplates, 'greeting.yaml'), greeting)
  const session = await connect(t, rig)
  const { templates } = (await session.call('templates')).value as { templates: { name: string }[] }
  const variable = { name: 'whom', description: 'who is greeted', required: true, type: 'text' }
  assert.deepEqual(
    templates.find(({ name }) => name === 'greeting'),
    {
      name: 'greeting',
      place: 'yours',
      path: join(rig.paths.userTemplates, 'greeting.yaml'),
      shadows: [],
      description: 'writes a greeting, then signs it',
      vars: [{ ...variable, default: null, detect: null }],
    },
  )
  assert.ok(templates.some(({ name }) => name === 'tdd'))

  const refused = async (asked: Record<string, unknown>, words: RegExp) => {
    const answer = await session.call('start_template', { ...custom, ...asked })
    assert.equal(answer.refused, true, answer.text)
    assert.match(answer.text, words)
  }
  await refused({ template: 'greting' }, /There is no template greting\. Did you mean greeting\?/)
  await refused({ template: 'greeting' }, /needs a value: --set whom=… \(who is greeted\)/)
  await refused({ template: 'greeting', set: { who: 'x', whom: 'y' } }, /who/)
  mkdirSync(join(rig.tree, '.loop/templates'), { recursive: true })
  rig.write('.loop/templates/planted.yaml', greeting.replace('greeting', 'planted'))
  await refused(
    { template: 'planted', set: { whom: 'x' } },
    /planted\.yaml is not trusted, and nothing of it was run/,
  )
  assert.deepEqual(rig.loops(), [])

  const whom = `"you" & $(touch pwned) 'all' \`id\``
  const answer = await session.call('start_template', { ...custom, template: 'greeting', set: { whom } })
  assert.equal(answer.refused, false, answer.text)
  assert.equal(answer.value['id'], onlyGroup(rig))
  await until('its end', async () => {
    const [group] = (await session.call('status')).value['loops'] as { status: string }[]
    return group?.status === 'completed'
  })
  assert.equal(readOr(join(rig.tree, 'greeted')), whom)
  assert.equal(readOr(join(rig.tree, 'signed'), 'no'), '')
  assert.equal(readOr(join(rig.tree, 'pwned'), 'no'), 'no')
})
