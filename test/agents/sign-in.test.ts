/**
 * Real agent programs that are not signed in, or whose account is empty: the loop pauses at once, says how to sign in,
 * and has spent no iteration; loopd does not start it again.
 */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { endDaemon } from '../rig/daemon.ts'
import { until } from '../rig/rig.ts'
import type { Turn } from './model-server.ts'
import { type Place, placeFor, type RealAgent, realAgents, agentTest as test } from './real.ts'

/** The words that tell a person how to give each agent access to its model. */
const wayIn: Record<RealAgent, string> = {
  opencode: 'Sign in with: opencode auth login',
  claude: 'Sign in with: claude, then /login; or set ANTHROPIC_API_KEY',
  codex: 'Sign in with: codex login; or set the key of its provider',
  gemini: 'Set GEMINI_API_KEY, or choose how to sign in: gemini, then /auth',
  cline: 'Set its key with: cline auth',
}

/** Removes the credentials of the agent, and all files that it has written at home. */
const signOut: Record<Exclude<RealAgent, 'opencode'>, (place: Place) => void> = {
  claude: ({ rig }) => rid(rig.env, 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'),
  // Its configuration stays: without any, codex would call the API of its vendor, which no test may do.
  codex: ({ rig }) => rid(rig.env, 'LOCAL_KEY'),
  gemini({ rig }) {
    rid(rig.env, 'GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL')
    rmSync(join(rig.env['HOME'] ?? '', '.gemini'), { recursive: true })
  },
  cline({ rig, server }) {
    rmSync(join(rig.env['HOME'] ?? '', '.cline'), { recursive: true })
    // cline's own service is played by the test; it answers as it does to an unknown user.
    rig.env['CLINE_API_BASE_URL'] = server.url
  },
}

function rid(env: NodeJS.ProcessEnv, ...names: string[]): void {
  for (const name of names) delete env[name]
}

/** The words of each program; for cline, those of its service. */
const notSignedIn: Record<keyof typeof signOut, string> = {
  claude: 'Not logged in · Please run /login',
  codex: 'Missing environment variable: `LOCAL_KEY`.',
  gemini: 'Please set an Auth method in your ',
  cline: 'Unauthorized: Please sign in',
}

const emptyAccount: Record<RealAgent, [error: NonNullable<Turn['error']>, says: string]> = {
  claude: [
    {
      status: 400,
      body: {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message:
            'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
        },
      },
    },
    'Credit balance is too low',
  ],
  codex: [quota(), 'Quota exceeded. Check your plan and billing details.'],
  // Twice as long as loop lets opencode wait by itself.
  opencode: [{ ...quota(), headers: { 'retry-after': '20' } }, 'You exceeded your current quota, please'],
  cline: [{ ...quota(), headers: { 'retry-after': '0' } }, 'You exceeded your current quota, please'],
  gemini: [
    {
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'Gemini API free tier is not available in your country. Please enable billing.',
          status: 'FAILED_PRECONDITION',
        },
      },
    },
    'Please enable billing.',
  ],
}

/** The answer of OpenAI for an account without credit. */
function quota(): NonNullable<Turn['error']> {
  const message = 'You exceeded your current quota, please check your plan and billing details.'
  return { status: 429, body: { error: { message, type: 'insufficient_quota', code: 'insufficient_quota' } } }
}

async function isPausedAtOnce({ rig, agent, args }: Place, says: string): Promise<void> {
  const ended = await rig.loop(args.filter(arg => arg !== '--json'))
  assert.equal(ended.code, 1, `${ended.stdout}${ended.stderr}`)
  const [id = ''] = rig.loops()
  const [, line = ''] = ended.stdout.split(`Loop ${id} paused: ${agent} may not use its model: `)
  assert.ok(line.includes(says), ended.stdout)
  assert.ok(ended.stdout.includes(`  next        ${wayIn[agent]}; then: loop resume ${id}\n`), ended.stdout)
  assert.deepEqual(countOf(rig.events(id)), { runs: 1, verified: 1, waits: 0 })
}

function countOf(events: ReturnType<Place['rig']['events']>) {
  const count = (kind: string) => events.filter(event => event.kind === kind).length
  return { runs: count('run.started'), verified: count('promise.verified'), waits: count('wait.started') }
}

/** They take seconds of a processor to start. whole-loop refuses their key, and the loop pauses in the same way. */
const slow: readonly RealAgent[] = ['opencode', 'cline']

describe('agents that may not use their models', { concurrency: 2 }, () => {
  for (const agent of Object.keys(signOut) as (keyof typeof signOut)[]) {
    test(`${agent}, not signed in: paused at once, with how to sign in`, async t => {
      const unknown = { error: { status: 401, body: { error: { message: notSignedIn.cline } } } }
      const place = await placeFor(t, agent, { turns: () => [], idle: unknown })
      signOut[agent](place)
      await isPausedAtOnce(place, notSignedIn[agent])
    })
  }

  for (const agent of realAgents) {
    const skip = slow.includes(agent) && !process.env['LOOP_LONG'] && 'read in test/recordings: LOOP_LONG=1'
    test(`${agent}, with an empty account: paused at once`, { skip }, async t => {
      const [error, says] = emptyAccount[agent]
      await isPausedAtOnce(await placeFor(t, agent, { turns: () => [], idle: { error } }), says)
    })
  }

  test('claude, not signed in, in the background: paused, and not started again', async t => {
    const place = await placeFor(t, 'claude', () => [])
    const { rig } = place
    rig.atEnd(() => endDaemon(rig))
    signOut.claude(place)
    const started = await rig.loop([...place.args, '-b'])
    const { id } = JSON.parse(started.stdout)
    const shown = await until('the loop to be paused', async () => {
      const status = JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
      return status.status === 'paused' && status
    })
    assert.equal(shown.reason, 'claude may not use its model: Not logged in · Please run /login')
    assert.deepEqual(countOf(rig.events(id)), { runs: 1, verified: 1, waits: 0 })
    assert.ok(!rig.events(id).some(({ kind, data }) => kind === 'loop.queued' && data.restart))
  })
})
