/** "Did you mean …?" for values, ids and actions, through the real program. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRig, startArgs } from '../../rig/rig.ts'

test('a value, an id or an action that is nearly right is refused with the one that was meant', async t => {
  const rig = makeRig(t)
  assert.equal((await rig.loop(startArgs('echo x >> work', 'test -e work', '--plain'))).code, 0)
  const [id = ''] = rig.loops()
  const agent = ['--agent', 'custom', '--agent-cmd', 'true']
  const swapped = `${id.slice(0, 4)}${id[5]}${id[4]}`
  const start = (...more: string[]) => ['start', 'x', '-p', 'true', ...more]
  const rows: [string[], string][] = [
    [start('--agent', 'cluade'), 'claude?'],
    [start(...agent, '--checkpoint', 'gti'), 'git?'],
    [start(...agent, '--context-mode', 'frehs'), 'fresh?'],
    [['start', 'x', '--template', 'tddd'], 'tdd?'],
    [['list', '--status', 'runing'], 'running?'],
    [['config', 'get', 'budgett'], 'budget?'],
    [['config', 'set', 'checkpoint', 'btrsf'], 'btrfs?'],
    [['config', 'sett', 'agent', 'x'], 'loop config set'],
    [['task', 'lst'], 'loop task list'],
    [['learn', 'drpo'], 'loop learn drop'],
    [['plugin', 'instal', 'claude'], 'loop plugin install'],
    [['template', 'shwo'], 'loop template show'],
    [['demo', 'pln'], 'loop demo plan'],
    ...(swapped === id ? [] : ([[['status', swapped], `${id}?`]] as [string[], string][])),
    [['watch', `${id.slice(0, 5)}_`], `${id}?`],
    [['rollback', `${id}x`, 'initial'], `${id}?`],
  ]
  for (const [args, meant] of rows) {
    const refused = await rig.loop(args)
    assert.notEqual(refused.code, 0, args.join(' '))
    assert.ok(
      refused.stderr.includes(`Did you mean${meant.startsWith('loop') ? ':' : ''} ${meant}`),
      refused.stderr,
    )
  }
})
