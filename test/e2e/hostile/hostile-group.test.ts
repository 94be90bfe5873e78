/** Hostile text on the terminal of a person: a group shows its attempts, their files and their measures. */
import { test } from 'node:test'
import { assertNoFakeLine, assertSafe, attacks, fakeLine, hostileName as name } from '../../rig/attacks.ts'
import { onlyGroup } from '../../rig/group.ts'
import { type Ended, makeRig } from '../../rig/rig.ts'

test('nothing that a group shows of its attempts steers the terminal', async t => {
  const rig = makeRig(t)
  rig.write(name, 'before\n')
  const agent = `printf '%s' "$LOOP_ATTEMPT" > ${JSON.stringify(name)}; true`
  const group = [
    '--best-of',
    '2',
    '--best-of-metric',
    `max:cat ${JSON.stringify(name)} # ${attacks}`,
    '-n',
    '1',
  ]
  const started = await rig.loop([
    'start',
    `do this${attacks}\n${fakeLine}`,
    '-p',
    `true # ${attacks}`,
    '--agent',
    'custom',
    '--agent-cmd',
    `${agent} # ${attacks}`,
    '--no-input',
    '--no-baseline',
    ...group,
  ])
  const id = onlyGroup(rig)
  const all: [string, Ended][] = [['start', started]]
  for (const args of [
    ['status', id],
    ['status'],
    ['compare', id],
    ['history', id],
    ['pick', id, '1'],
    ['report'],
    ['rollback', id, 'initial'],
  ])
    all.push([args.join(' '), await rig.loop(args)])
  for (const [what, { stdout, stderr }] of all) {
    for (const text of [stdout, stderr]) {
      assertSafe(text, what)
      assertNoFakeLine(text, what)
    }
  }
})
