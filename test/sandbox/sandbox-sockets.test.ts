/**
 * The sockets that a sandboxed agent and its promise can open: every address family is tried, with each kind of
 * network. The filter is the same bytes everywhere; what it decides for other processors is in the unit test.
 */
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { without } from '../rig/needs.ts'
import { makeRig, startArgs } from '../rig/rig.ts'

const skip = without('bwrap', 'python3')

/** What agent and promise were answered, each. */
async function answers(t: TestContext, sandbox: string[]): Promise<string[][]> {
  const rig = makeRig(t)
  copyFileSync(join(import.meta.dirname, '../rig/sockets.py'), join(rig.tree, 'sockets.py'))
  const how = sandbox.includes('required') ? 'sandboxed' : ''
  const tried = (name: string) => `python3 sockets.py ${how} >${name}`
  const args = startArgs(tried('agent'), `${tried('promise')}; test -s agent`, '--no-baseline', '-n', '1')
  const { code, stderr } = await rig.loop([...args, ...sandbox])
  assert.equal(code, 0, stderr)
  return ['agent', 'promise'].map(name => readFileSync(join(rig.tree, name), 'utf8').trim().split('\n'))
}

/** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. */
const permitted = ['1', '2', '10', '16']

for (const network of ['open', 'none', '127.0.0.1:4999']) {
  test(`in a sandbox no socket is of another family than four (network ${network})`, { skip }, async t => {
    for (const lines of await answers(t, ['--sandbox', 'required', '--sandbox-network', network])) {
      const told = lines.map(line => line.split(':'))
      for (const [call = '', family = '', said = ''] of told.filter(line => line.length === 3)) {
        if (permitted.includes(family)) continue
        assert.equal(said, call === 'high' ? 'False' : 'refused', `${call} of family ${family}`)
      }
      const opened = told.filter(([call, , said]) => call === 'socket' && said === 'ok')
      assert.deepEqual(
        opened.map(([, family]) => family),
        permitted,
      )
      assert.equal(lines.filter(line => line.startsWith('socket:')).length, 46)
      assert.ok(lines.includes('pair:1:ok'))
      assert.ok(lines.includes('io_uring:ENOSYS'))
      if (process.arch === 'x64') assert.ok(lines.includes('x32:ENOSYS'))
      // Process 1 is bubblewrap; a debugger of one's own processes still works.
      assert.ok(lines.includes('attach:EPERM'))
      assert.ok(lines.includes('debug:ok'))
    }
  })
}

test('without a sandbox more families are reached', { skip }, async t => {
  const [lines = []] = await answers(t, ['--sandbox', 'off'])
  const reached = lines.filter(line => /^socket:\d+:(ok|reached)$/.test(line)).map(line => line.split(':')[1])
  assert.ok(reached.some(family => !permitted.includes(family ?? '')))
})
