/**
 * loop inside opencode: when a session wants to stop while its loop is not done, it is sent back to work. What
 * decides is `loop hook`, a child process that is asked with JSON on stdin; this file only carries questions and
 * answers between the two, and depends on nothing.
 *
 *   session.idle            → loop hook stop           blocked: the reason is the next prompt of the session
 *   first message, compact  → loop hook session-start  what there is to resume is added to what the model reads
 *
 * `opencode run` ends when its session is idle, so there the question is asked before: see `headless`. Whatever
 * goes wrong lets the session go. Why it is as it is: docs/decisions/0041-opencode-plugin.md.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const beside = join(import.meta.dirname, '..', '..', 'bin', 'loop')
const program = process.env.LOOP_PROGRAM ?? (existsSync(beside) ? beside : 'loop')
const mostBytes = 1_000_000

/** What `loop hook` says to this; never throws. */
function hook(kind, asked) {
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
      if (said.length < mostBytes) said += text
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

export const LoopPlugin = async ({ client, directory }) => {
  // A session that loop has started: that loop decides when its agent is done.
  if (process.env.LOOP_RUN) return {}

  const isRun = process.argv.slice(2).find(word => !word.startsWith('-')) === 'run'
  const known = new Map()

  /** What is kept of a session while this process lives. */
  function kept(id) {
    if (!known.has(id)) known.set(id, {})
    return known.get(id)
  }

  const get = async id => (await client.session.get({ path: { id } })).data

  /** Subagents have sessions of their own, which belong to the one that started them. */
  async function rootOf(id) {
    kept(id).root ??= get(id).then(session => (session?.parentID ? rootOf(session.parentID) : id))
    return kept(id).root
  }

  async function asked(id) {
    const todos = (await client.session.todo({ path: { id } })).data ?? []
    const tasks = todos
      .filter(({ status }) => status !== 'cancelled')
      .map(({ content, status }, i) => ({
        id: String(i + 1),
        subject: content,
        description: content,
        status,
        blockedBy: [],
      }))
    const cost = (await get(id))?.cost
    return {
      session_id: id,
      cwd: directory,
      stop_hook_active: kept(id).blocked === true,
      ...(tasks.length > 0 && { tasks }),
      ...(typeof cost === 'number' && { cost_usd: cost }),
    }
  }

  async function askToStop(id) {
    const answer = await hook('stop', await asked(id))
    if (answer.systemMessage) await tell(answer.systemMessage)
    kept(id).blocked = answer.decision === 'block'
    return answer
  }

  async function resumeText(id) {
    const { hookSpecificOutput } = await hook('session-start', { session_id: id, cwd: directory })
    return hookSpecificOutput?.additionalContext ?? ''
  }

  /** Where nobody looks at a screen, on stderr. */
  async function tell(message) {
    if (isRun) return void process.stderr.write(`${message}\n`)
    await client.tui.showToast({ body: { title: 'loop', message, variant: 'info', duration: 10_000 } })
  }

  /** Its last turn ended because the model had no more to say: not by a person, an error, or a refusal. */
  async function lastTurn(id) {
    const messages = (await client.session.messages({ path: { id } })).data ?? []
    const info = messages.at(-1)?.info
    const ended = info?.role === 'assistant' && !info.error && !info.summary
    return ended && info.finish && info.finish !== 'tool-calls' ? info : null
  }

  async function idle(id) {
    const session = kept(id)
    if (session.asking || (await rootOf(id)) !== id) return
    const turn = await lastTurn(id)
    if (!turn) return
    session.asking = true
    try {
      const { decision, reason } = await askToStop(id)
      // The person may have been faster, and has the word.
      if (decision !== 'block' || session.busy) return
      session.sending = true
      const model = { providerID: turn.providerID, modelID: turn.modelID }
      const parts = [{ type: 'text', text: reason }]
      await client.session.promptAsync({
        path: { id },
        body: { agent: turn.agent ?? turn.mode, model, parts },
      })
    } finally {
      session.asking = false
      session.sending = false
    }
  }

  return {
    async event({ event: { type, properties } }) {
      const id = properties?.sessionID
      if (!id) return
      if (type === 'session.status') kept(id).busy = properties.status.type !== 'idle'
      if (type === 'session.compacted') kept(id).greeted = false
      if (type === 'session.deleted') known.delete(id)
      if (type === 'session.idle' && !isRun)
        await idle(id).catch(error => tell(`loop: ${error.message}`).catch(() => {}))
    },

    async 'chat.message'({ sessionID }, { message, parts }) {
      const session = kept(sessionID)
      session.turn = { agent: message.agent, model: message.model }
      if (session.sending) return
      Object.assign(session, { blocked: false, released: false })
      if (session.greeted || (await rootOf(sessionID)) !== sessionID) return
      session.greeted = true
      const text = await resumeText(sessionID)
      const last = parts.at(-1)
      if (text === '' || !last) return
      // The id sorts behind the last one.
      parts.push({ id: `${last.id}0`, sessionID, messageID: message.id, type: 'text', text, synthetic: true })
    },

    async 'experimental.session.compacting'({ sessionID }, { context }) {
      const text = (await rootOf(sessionID)) === sessionID ? await resumeText(sessionID) : ''
      if (text !== '') context.push(text)
    },

    /** So that `loop start --session` and `loop init` know whose loop it is. */
    async 'shell.env'({ sessionID }, { env }) {
      if (sessionID) env.LOOP_SESSION = await rootOf(sessionID)
    },

    ...(isRun && headless({ client, kept, rootOf, askToStop, resumeText })),
  }
}

/**
 * For `opencode run`, which ends at once when its session is idle. The session is kept from becoming idle by a
 * message that nobody sees (`ignored`), added when a text of the model is complete. Before the next call of the
 * model it is known whether the turn had ended: if it had, loop is asked, and the message says what it answered;
 * if tools were called, the message stays unseen.
 */
function headless({ client, kept, rootOf, askToStop, resumeText }) {
  return {
    async 'experimental.text.complete'({ sessionID: id }) {
      const session = kept(id)
      if (session.released || session.unseen || (await rootOf(id)) !== id || (await resumeText(id)) === '')
        return
      const parts = [{ type: 'text', text: '[LOOP]', ignored: true, synthetic: true }]
      session.sending = true
      const { data } = await client.session.prompt({
        path: { id },
        body: { noReply: true, ...session.turn, parts },
      })
      session.sending = false
      session.unseen = data?.info.id
    },

    async 'experimental.chat.messages.transform'(_, { messages }) {
      const last = messages.at(-1)
      const session = last && kept(last.info.sessionID)
      if (!session?.unseen || session.unseen !== last.info.id) return
      session.unseen = null
      const before = messages.findLast(({ info }) => info.role === 'assistant')
      if (before?.parts.some(({ type }) => type === 'tool')) return
      const { sessionID } = last.info
      const { decision, reason, systemMessage } = await askToStop(sessionID)
      session.released = decision !== 'block'
      const [part] = last.parts
      part.text = session.released
        ? `${systemMessage ?? 'loop: nothing holds this session.'} Say so, and end here.`
        : reason
      part.ignored = false
      const path = { id: sessionID, messageID: last.info.id, partID: part.id }
      await client._client.patch({
        url: '/session/{id}/message/{messageID}/part/{partID}',
        path,
        body: part,
        headers: { 'content-type': 'application/json' },
      })
    },
  }
}
