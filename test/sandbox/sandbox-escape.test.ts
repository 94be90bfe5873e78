/**
 * Attempts to escape from the sandbox, each made by the agent and again by the promise, which runs a script of the
 * agent. Without a sandbox they succeed, which proves that they are real attempts.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Escape, escapes, movedSecrets, type Outside, secret, secretNames } from '../rig/escapes.ts'
import { without } from '../rig/needs.ts'
import { containments, makeRig, startArgs } from '../rig/rig.ts'

const program = 'attempts.sh'

type Wish = { rows: Escape[]; sandbox: string; contain?: string }

/** Runs all attempts in one loop, by its agent and by its promise; returns those that succeeded. */
async function attempted(t: TestContext, { rows, sandbox, contain }: Wish): Promise<string[]> {
  const place = join(homedir(), '.cache')
  mkdirSync(place, { recursive: true })
  const rig = makeRig(t, place)
  const home = rig.env['HOME'] ?? ''
  for (const name of ['.ssh', '.aws', '.gnupg', '.config/gh', '.docker', '.kube', '.claude', '.local/bin']) {
    mkdirSync(join(home, name), { recursive: true })
    writeFileSync(join(home, name, 'id'), secret)
  }
  for (const name of ['.netrc', '.git-credentials', ...secretNames]) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), secret)
  }
  for (const name of Object.values(movedSecrets)) writeFileSync(join(rig.aside, name), secret)
  symlinkSync(join(rig.aside, 'dotfile'), join(home, '.pgpass'))
  writeFileSync(join(rig.aside, 'original'), 'as it was\n')
  spawnSync('git', ['init', '-q', rig.tree], { env: rig.env })
  const temporary = join(tmpdir(), `loop-test-${process.pid}-${contain ?? 'any'}`)
  writeFileSync(`${temporary}.secret`, secret)
  const victim = spawn('sleep', ['600'], { env: { SECRET: secret }, stdio: 'ignore' })
  let knocked = 0
  const agent = createServer(socket => {
    knocked += 1
    socket.destroy()
  }).listen(join(rig.aside, 'agent.sock'))
  mkdirSync(join(home, '.engine'))
  const engines = [rig.aside, join(home, '.engine')].map(at =>
    createServer(socket => void socket.destroy()).listen(join(at, 'engine.sock')),
  )
  t.after(() => {
    victim.kill('SIGKILL')
    for (const server of [agent, ...engines]) server.close()
    rmSync(`${temporary}.secret`, { force: true })
  })
  Object.assign(rig.env, {
    ...(contain && { LOOP_CONTAIN: contain }),
    VICTIM: String(victim.pid),
    DATA: rig.paths.data,
    PLACE: temporary,
    SSH_AUTH_SOCK: join(rig.aside, 'agent.sock'),
    ...Object.fromEntries(Object.entries(movedSecrets).map(([name, file]) => [name, join(rig.aside, file)])),
  })
  assert.equal((await rig.loopd(['start'])).code, 0)
  rig.atEnd(async () => void (await rig.loopd(['stop'])))
  const lines = rows.map(({ attempt }) => `( ${attempt}\n) 2>>attempts.log; echo "$?" >>attempts.log`)
  rig.write(program, `${lines.join('\n')}\nexit 0\n`)
  const args = ['--no-baseline', '-n', '1', '--sandbox', sandbox]
  const { code, stderr } = await rig.loop(
    startArgs(`sh ${program}`, `sh ${program}; test -f attempts.log`, ...args),
    { wrap: ['bash', '-c', 'exec 17</; exec "$@"', 'bash'] },
  )
  // Without a sandbox the changes to the shell and to git make the promise suspect.
  if (sandbox !== 'off') assert.equal(code, 0, stderr)
  // Each attempt was made twice.
  const tries = readFileSync(join(rig.tree, 'attempts.log'), 'utf8').match(/^\d+$/gm) ?? []
  assert.equal(tries.length, 2 * rows.length)
  const [id = ''] = rig.loops()
  const outside: Outside = { rig, id, home, isAlive: () => isAlive(victim), knocks: () => knocked }
  return rows.filter(({ gotOut }) => gotOut(outside)).map(({ name }) => name)
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

for (const contain of containments) {
  test(`${escapes.length} attempts to get out of the sandbox fail (${contain})`, {
    skip: without('bwrap'),
  }, async t => {
    assert.ok(escapes.length >= 25)
    assert.deepEqual(await attempted(t, { rows: escapes, sandbox: 'required', contain }), [])
  })
}

test('without a sandbox the same attempts get out', { skip: without('root') }, async t => {
  const rows = escapes.filter(({ control }) => control !== false)
  const gotOut = await attempted(t, { rows, sandbox: 'off' })
  assert.deepEqual(
    gotOut,
    rows.map(({ name }) => name),
  )
})
