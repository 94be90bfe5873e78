/**
 * Every form of a secret that loop knows, through a whole loop: printed by the agent in pieces of odd sizes, by the
 * promise, by a hook, and in a note of the agent. No form is kept once the runs have ended, and none is shown.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { makeRig, type Rig, startArgs, until } from '../../rig/rig.ts'
import { terminal, terminalTest } from '../../rig/screen.ts'
import { brokenSecrets, secrets } from '../../unit/secrets/samples.ts'

const configured = 'blue horse 4711 battery'
const forms = [...secrets, ...brokenSecrets].map(([text]) => text)
/** Each word of a secret without the escapes that hide it, but not the words that loop is meant to show. */
const raw = [...secrets, ...brokenSecrets].flatMap(([text, shown]) => {
  const kept = new Set(stripVTControlCharacters(shown).split(/\s+/))
  const words = stripVTControlCharacters(text).split(/[\s"'`<>(){}[\],;|\\]+/)
  return words.filter(word => word.length >= 16 && ![...kept].some(one => one.includes(word)))
})
const env = { ACME_PHRASE: configured, LOOP_SECRET_NAMES: 'ACME_*' }

function held(text: string): string[] {
  const plain = stripVTControlCharacters(text)
  return [...new Set([...raw, configured].filter(secret => plain.includes(secret)))]
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map(name => join(dir, name))
    .filter(file => statSync(file).isFile())
}

async function ranThrough(rig: Rig, ...more: string[]): Promise<string> {
  writeFileSync(join(rig.aside, 'forms'), `${forms.join('\n')}\n${configured}\n`)
  // Forms with escapes are left out: JSON would escape them twice, and nobody would read the result as a secret.
  const plain = forms.filter(form => !form.includes('\\') && !form.includes('\u001B'))
  writeFileSync(join(rig.aside, 'plain'), `${plain.join('\n')}\n`)
  const asks = `node -e 'require("fs").writeFileSync(process.env.LOOP_USAGE_FILE, JSON.stringify({ costUsd: 0.1, note: require("fs").readFileSync(process.env.ASIDE + "/plain", "utf8") }))'`
  const agent = `dd if="$ASIDE/forms" bs=7 2>/dev/null; dd if="$ASIDE/forms" bs=13 2>/dev/null >&2; ${asks}; date +%N > work`
  const promise = 'cat "$ASIDE/forms"; false'
  const started = await rig.loop(
    startArgs(agent, promise, '-n', '2', '--on-failure', 'cat "$ASIDE/forms"', '--plain', ...more),
    { env },
  )
  return started.stdout + started.stderr
}

test('there are forty forms and more, and the names of the configuration', () => {
  assert.ok(secrets.length >= 40, String(secrets.length))
  assert.ok(raw.length >= 40, String(raw.length))
})

test('no form of a secret is kept after the runs, or shown by any command', async t => {
  const rig = makeRig(t)
  assert.deepEqual(held(await ranThrough(rig)), [], 'start')
  const [id = ''] = rig.loops()
  for (const file of filesBelow(rig.paths.data))
    assert.deepEqual(held(readFileSync(file, 'latin1')), [], file)
  for (const args of [
    ['logs', id],
    ['logs', id, '--raw'],
    ['logs', id, '--json'],
    ['logs', id, '--promise'],
    ['logs', id, '--hook'],
    ['history', id, '-v'],
    ['history', id, '--json'],
    ['status', id],
    ['status', id, '--json'],
    ['list'],
    ['status', '--json'],
    ['report', '--json'],
    ['watch', id, '--plain'],
    ['watch', id, '--json'],
  ]) {
    const shown = await rig.loop(args, { env })
    assert.deepEqual(held(shown.stdout + shown.stderr), [], args.join(' '))
  }
  const archive = join(rig.aside, 'export.tar.gz')
  const exported = await rig.loop(['export', id, '-o', archive], { env })
  assert.equal(exported.code, 0, exported.stderr)
  assert.deepEqual(held(gunzipSync(readFileSync(archive)).toString('latin1')), [], 'export')
})

test('the API and its feed hold none either', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const id = JSON.parse(await ranThrough(rig, '-b', '--json')).id
  await rig.reaches(id, 'failed')
  const socket = rig.env['LOOPD_SOCKET'] ?? ''
  const { request } = await import('node:http')
  const get = (path: string) =>
    new Promise<string>((resolve, reject) => {
      let text = ''
      const asking = request({ socketPath: socket, path, headers: { host: 'localhost' } }, answer => {
        answer.setEncoding('utf8').on('data', piece => {
          text += piece
        })
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve(text) : reject(new Error(`${path}: ${text}`)),
        )
      })
      asking.on('error', reject).end()
    })
  const ofLoop = [
    '',
    '/events',
    '/history',
    '/timeline',
    '/runs',
    '/runs/1/out',
    '/runs/1/prompt',
    '/runs/2/prompt',
  ]
  const outputs = ['/runs/1/out/lines', '/runs/1/err/lines', '/verify/1-0/out', '/verify/1-0/lines']
  const paths = [...ofLoop, ...outputs].map(path => `/v1/loops/${id}${path}`)
  for (const path of ['/v1/loops', '/v1/report', ...paths]) {
    const text = await get(path)
    assert.deepEqual(held(text), [], path)
  }
})

terminalTest('a diff on a terminal shows none; the patch for a program is exact', async t => {
  const rig = makeRig(t)
  const [secret = ''] = raw
  const agent = `printf 'a ${secret} b\\n' > work`
  await rig.loop(startArgs(agent, 'test -f work', '--no-baseline'), { env })
  const patch = await rig.loop(['diff', '@last'], { env })
  assert.deepEqual(held(patch.stdout), [secret])
  const screen = terminal(rig, ['diff', '@last'])
  await until('the end', () => screen.text().includes('ended with 0'))
  assert.match(screen.text(), /\[redacted:/)
  assert.deepEqual(held(screen.text().replaceAll('\n', '')), [])
})
