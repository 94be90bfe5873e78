/**
 * loop inside opencode: a session that wants to stop while its loop is not done is sent back to work. What decides
 * is `loop hook`, a child process that is asked with JSON on stdin; this file carries questions and answers
 * between the two, and depends on nothing.
 *
 *   session.idle                      → loop hook stop           blocked: the reason is the next prompt
 *   first message, before compaction  → loop hook session-start  what there is to resume is told to the model
 *
 * `opencode run` ends when its session is idle, so there the question is asked before: see headlessHooks.
 * Whatever goes wrong lets the session go. Why it is as it is: docs/decisions/0040-session.md.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const beside = join(import.meta.dirname, '..', '..', 'bin', 'loop')
const program = process.env.LOOP_PROGRAM ?? (existsSync(beside) ? beside : 'loop')
const mostChars = 1_000_000

/** Installed for the user and for the project, it is loaded twice: the one that came last works, once. */
globalThis[Symbol.for('loop.atWork')] ??= new Map()
const atWork = globalThis[Symbol.for('loop.atWork')]

export const LoopPlugin = async ({ client, directory }) => {
  // A session that a loop has started: that loop decides when its agent is done.
  if (process.env.LOOP_RUN) return {}
  const isRun = process.argv.slice(2).find(word => !word.startsWith('-')) === 'run'
  const host = { client, directory, isRun, sessions: new Map() }
  atWork.set(directory, host)
  return guarded(host, { ...hooks(host), ...(isRun ? headlessHooks(host) : attendedHooks(host)) })
}

/** What a hook throws would end the turn of the session. */
function guarded(host, all) {
  const guard = run => async (input, output) => {
    if (atWork.get(host.directory) !== host) return
    await run(input, output).catch(error =>
      tell(host, `loop: its plugin failed (${error.message}).`).catch(() => {}),
    )
  }
  return Object.fromEntries(Object.entries(all).map(([name, run]) => [name, guard(run)]))
}

const quoted = `'${program.replaceAll("'", `'\\''`)}'`

/** What a person can type; the texts of the hook name these too. */
const commands = {
  'loop:go': {
    description:
      'Work until a command says that it is done; loop runs it itself before it lets the session end',
    template: `Start a loop in this session for: $ARGUMENTS

1. Find the command that decides when this is done: one the user named, else the project's own tests, build or linter. It must fail now and pass when the work is done. If you cannot find one, ask the user; never invent one that passes anyway.
2. Run: ${quoted} start "<the user's words>" --session -p "<command>" (several: -p unit="npm test" -p lint="npm run lint"; limits: -n 20).
3. Work on one criterion at a time. Set each to true in criteriaStatus of .loop/state.json when you have verified it; when all are true, set exit_signal to true and stop: loop then runs the commands itself.`,
  },
  'loop:status': {
    description: 'Where the loops stand',
    template: `!\`${quoted} status\`

Say in two or three sentences where the loop of this session stands: its unmet criteria (.loop/state.json), its iteration, and what comes next. Change nothing.`,
  },
  'loop:continue': {
    description: 'Go on in this session with the loop that is paused, or that another session has left',
    template: `Run: ${quoted} resume --session $ARGUMENTS

Then read .loop/state.json, and go on with the first unmet criterion.`,
  },
  'loop:cancel': {
    description: 'End the loop of this session; the files stay as they are',
    template: `!\`${quoted} cancel --session\`

Report what was completed and what remains. Do not go on with the work.`,
  },
}

function hooks(host) {
  return {
    /** A command of the same name that is the user's own stays. */
    async config(config) {
      config.command = { ...commands, ...config.command }
    },

    async 'chat.message'({ sessionID: id }, { message, parts }) {
      const session = kept(host, id)
      session.turn = { agent: message.agent, model: message.model }
      if (session.sending) return
      Object.assign(session, { blocked: false, released: false })
      if (session.greeted || (await rootOf(host, id)) !== id) return
      session.greeted = true
      const { text } = await toResume(host, id)
      const last = parts.at(-1)
      // Its id sorts behind that of the last part.
      const more = { id: `${last?.id}0`, sessionID: id, messageID: message.id, synthetic: true }
      if (last && text !== '') parts.push({ ...more, type: 'text', text })
    },

    async 'experimental.session.compacting'({ sessionID: id }, { context }) {
      kept(host, id).greeted = false
      const { text } = (await rootOf(host, id)) === id ? await toResume(host, id) : { text: '' }
      if (text !== '') context.push(text)
    },

    /** So that `loop start --session` and `loop init` know whose loop it is. */
    async 'shell.env'({ sessionID: id }, { env }) {
      if (id) env.LOOP_SESSION = await rootOf(host, id)
    },
  }
}

function attendedHooks(host) {
  return {
    async event({ event: { type, properties } }) {
      const id = properties?.sessionID
      if (!id) return
      if (type === 'session.status') kept(host, id).busy = properties.status.type !== 'idle'
      if (type === 'session.deleted') host.sessions.delete(id)
      if (type === 'session.idle') await idle(host, id)
    },
  }
}

async function idle(host, id) {
  const session = kept(host, id)
  if (session.asking || (await rootOf(host, id)) !== id) return
  const turn = await lastTurn(host, id)
  if (!turn) return
  session.asking = true
  try {
    const { decision, reason } = await mayStop(host, id)
    // The person may have been faster, and has the word.
    if (decision !== 'block' || session.busy) return
    session.sending = true
    const model = { providerID: turn.providerID, modelID: turn.modelID }
    const body = { agent: turn.agent ?? turn.mode, model, parts: [{ type: 'text', text: reason }] }
    await host.client.session.promptAsync({ path: { id }, body })
  } finally {
    Object.assign(session, { asking: false, sending: false })
  }
}

/** The last turn, if the model ended it: not a person, an error, or a permission that was refused. */
async function lastTurn({ client }, id) {
  const { data } = await client.session.messages({ path: { id } })
  const info = data?.at(-1)?.info
  if (info?.role !== 'assistant' || info.error || info.summary) return null
  return info.finish && info.finish !== 'tool-calls' ? info : null
}

/**
 * For `opencode run`. A message that nobody sees (`ignored`) is added when a text of the model is complete: it
 * keeps the session from becoming idle. Before the model is called again it is known whether its turn had ended.
 * If so, loop is asked, and the message says what it answered; if tools were called, it stays unseen.
 */
function headlessHooks(host) {
  return {
    async 'experimental.text.complete'({ sessionID: id }) {
      const session = kept(host, id)
      if (session.released || session.unseen || (await rootOf(host, id)) !== id) return
      const { held } = await toResume(host, id)
      const part = { type: 'text', text: '[LOOP]', ignored: true, synthetic: true }
      if (held) session.unseen = await put(host, id, { parts: [part] })
    },

    async 'experimental.chat.messages.transform'(_, { messages }) {
      const { info, parts } = messages.at(-1) ?? {}
      const session = info && kept(host, info.sessionID)
      if (!session?.unseen || session.unseen !== info.id) return
      session.unseen = null
      const before = messages.findLast(message => message.info.role === 'assistant')
      if (before?.parts.some(({ type }) => type === 'tool')) return
      const { decision, reason, systemMessage } = await mayStop(host, info.sessionID)
      session.released = decision !== 'block'
      const [part] = parts
      part.text = session.released ? `${systemMessage ?? 'loop lets this session end.'}\n\nEnd here.` : reason
      part.ignored = false
      const seen = { id: part.id, type: 'text', text: part.text, synthetic: true }
      await put(host, info.sessionID, { messageID: info.id, parts: [seen] })
    },
  }
}

/** A message of the user that starts no turn by itself; its id. */
async function put({ client, ...host }, id, message) {
  const session = kept(host, id)
  session.sending = true
  try {
    const body = { noReply: true, ...session.turn, ...message }
    const { data } = await client.session.prompt({ path: { id }, body })
    return data?.info.id ?? null
  } finally {
    session.sending = false
  }
}

async function mayStop(host, id) {
  const { client, directory } = host
  const session = kept(host, id)
  const [todo, found] = await Promise.all([
    client.session.todo({ path: { id } }),
    client.session.get({ path: { id } }),
  ])
  const tasks = (todo.data ?? [])
    .filter(({ status }) => status !== 'cancelled')
    .map(({ content, status }, i) => ({ id: String(i + 1), subject: content, description: content, status }))
  const cost = found.data?.cost
  const answer = await ask('stop', {
    session_id: id,
    cwd: directory,
    stop_hook_active: session.blocked === true,
    ...(tasks.length > 0 && { tasks }),
    ...(typeof cost === 'number' && { cost_usd: cost }),
  })
  session.blocked = answer.decision === 'block'
  if (answer.systemMessage) await tell(host, answer.systemMessage)
  return answer
}

/** What a session is told at its start, and whether a stop of it would be held. */
async function toResume({ directory }, id) {
  const { hookSpecificOutput, loop } = await ask('session-start', { session_id: id, cwd: directory })
  return { text: hookSpecificOutput?.additionalContext ?? '', held: loop?.held === true }
}

/** Where nobody looks at a screen, on stderr. */
async function tell({ client, isRun }, message) {
  if (isRun) process.stderr.write(`${message}\n`)
  else await client.tui.showToast({ body: { title: 'loop', message, variant: 'info', duration: 10_000 } })
}

/** What is known of a session for as long as this process lives. */
function kept({ sessions }, id) {
  if (!sessions.has(id)) sessions.set(id, {})
  return sessions.get(id)
}

/** A subagent has a session of its own, which belongs to the one that started it. */
async function rootOf(host, id) {
  const session = kept(host, id)
  session.root ??= host.client.session
    .get({ path: { id } })
    .then(({ data }) => (data?.parentID ? rootOf(host, data.parentID) : id))
  return session.root
}

/** What `loop hook` says to this; never throws. */
function ask(kind, asked) {
  return new Promise(resolve => {
    const failed = why =>
      resolve({
        ok: true,
        systemMessage: `loop: its hook could not be asked (${why}). The session is not held.`,
      })
    const child = spawn(program, ['hook', kind], { cwd: asked.cwd, stdio: ['pipe', 'pipe', 'ignore'] })
    let said = ''
    child.on('error', error => failed(error.message))
    child.stdin.on('error', () => {}) // it answers without reading to the end
    child.stdout.setEncoding('utf8').on('data', text => {
      if (said.length < mostChars) said += text
    })
    child.on('close', () => {
      try {
        resolve(said.trim() === '' ? {} : JSON.parse(said))
      } catch {
        failed('what it answered is no JSON')
      }
    })
    child.stdin.end(JSON.stringify(asked))
  })
}
