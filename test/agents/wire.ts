/**
 * The four streaming APIs, as far as an agent program needs them: each writes one scripted turn as server-sent events.
 * The order of turns is the business of model-server.
 */
import type { ServerResponse } from 'node:http'
import type { ToolCall, Turn } from './model-server.ts'

export type Asked = { body: Record<string, unknown>; path: string }
export type Play = (response: ServerResponse, turn: Turn, asked: Asked) => void

const usageOf = ({ usage }: Turn) => ({ input: 1_000, output: 50, cached: 0, ...usage })

let ids = 0
const id = (prefix: string): string => {
  ids += 1
  return `${prefix}_${String(ids).padStart(6, '0')}`
}

/** Server-sent events. If a turn hangs or is cut, nothing is sent after its text. */
function events(response: ServerResponse, turn: Turn) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let over = false
  return {
    send(data: object | string, name?: string): void {
      if (over) return
      const line = typeof data === 'string' ? data : JSON.stringify(data)
      response.write(`${name ? `event: ${name}\n` : ''}data: ${line}\n\n`)
    },
    afterText(): void {
      if (turn.breaks) over = true
      if (turn.breaks === 'cut') response.destroy()
    },
    end(): void {
      if (!over) response.end()
    },
  }
}

export const anthropic: Play = (response, turn, { body }) => {
  const stream = events(response, turn)
  const { input, output, cached } = usageOf(turn)
  // Only in this API the input tokens do not include those from the cache.
  const usage = { input_tokens: input - cached, output_tokens: output, cache_read_input_tokens: cached }
  const send = (type: string, data: object) => stream.send({ type, ...data }, type)
  send('message_start', {
    message: {
      id: id('msg'),
      type: 'message',
      role: 'assistant',
      model: body['model'],
      content: [],
      stop_reason: null,
      usage: { ...usage, output_tokens: 1 },
    },
  })
  let index = 0
  const block = (start: object, delta: object) => {
    send('content_block_start', { index, content_block: start })
    send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
    index += 1
  }
  block({ type: 'text', text: '' }, { type: 'text_delta', text: turn.say ?? ' ' })
  stream.afterText()
  for (const { name, input: args } of turn.tools ?? []) {
    block(
      { type: 'tool_use', id: id('toolu'), name, input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(args) },
    )
  }
  send('message_delta', { delta: { stop_reason: turn.tools ? 'tool_use' : 'end_turn' }, usage })
  send('message_stop', {})
  stream.end()
}

export const chat: Play = (response, turn, { body }) => {
  const stream = events(response, turn)
  const { input, output, cached } = usageOf(turn)
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: body['model'],
    choices: [{ index: 0, delta, finish_reason }],
  })
  stream.send(chunk({ role: 'assistant', content: turn.say ?? '' }))
  stream.afterText()
  for (const [index, { name, input: args }] of (turn.tools ?? []).entries()) {
    const call = { name, arguments: JSON.stringify(args) }
    stream.send(chunk({ tool_calls: [{ index, id: id('call'), type: 'function', function: call }] }))
  }
  stream.send(chunk({}, turn.tools ? 'tool_calls' : 'stop'))
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  }
  stream.send({ ...chunk({}), choices: [], usage })
  stream.send('[DONE]')
  stream.end()
}

export const responses: Play = (response, turn, { body }) => {
  const stream = events(response, turn)
  const { input, output, cached } = usageOf(turn)
  const whole = { id: id('resp'), object: 'response', created_at: 1, model: body['model'] }
  const send = (type: string, data: object) => stream.send({ type, ...data }, type)
  send('response.created', { response: { ...whole, status: 'in_progress', output: [] } })
  const items = [message(turn.say ?? ''), ...(turn.tools ?? []).map(callItem)]
  for (const [output_index, item] of items.entries()) {
    send('response.output_item.added', { output_index, item })
    send('response.output_item.done', { output_index, item })
    if (output_index === 0) stream.afterText()
  }
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
  send('response.completed', { response: { ...whole, status: 'completed', output: items, usage } })
  stream.end()
}

function message(text: string) {
  const content = [{ type: 'output_text', text, annotations: [] }]
  return { type: 'message', id: id('msg'), role: 'assistant', status: 'completed', content }
}

/** A tool that takes text instead of JSON (codex's apply_patch) has a call of another form. */
function callItem({ name, input }: ToolCall) {
  const common = { id: id('fc'), call_id: id('call'), name, status: 'completed' }
  if (typeof input === 'string') return { ...common, type: 'custom_tool_call', input }
  return { ...common, type: 'function_call', arguments: JSON.stringify(input) }
}

export const gemini: Play = (response, turn, { path }) => {
  const { input, output, cached } = usageOf(turn)
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    cachedContentTokenCount: cached,
    totalTokenCount: input + output,
  }
  const reply = (parts: object[], finishReason?: string) => ({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
    usageMetadata,
    modelVersion: 'scripted',
  })
  const calls = (turn.tools ?? []).map(({ name, input: args }) => ({ functionCall: { name, args } }))
  if (path.endsWith(':generateContent')) {
    const body = JSON.stringify(reply([{ text: turn.say ?? '' }, ...calls], 'STOP'))
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    return
  }
  const stream = events(response, turn)
  stream.send(reply([{ text: turn.say ?? '' }]))
  stream.afterText()
  stream.send(reply(calls.length > 0 ? calls : [{ text: '' }], 'STOP'))
  stream.end()
}
