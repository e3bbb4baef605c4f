import { setTimeout as sleep } from 'node:timers/promises'
import { type CarrierRequest, type Served, json, notFound } from '../served.ts'
import type { ScriptLine } from './script.ts'
import { faultInFormat } from './strict-mode.ts'

const slowMs = 30_000

interface Turn {
  role: string
  content: string
}

/** The default output for each kind of request. */
const nothing = {
  reply: {
    action: 'none',
    text: '',
    handoff_reason: null,
    disposition: null,
    extracted: { timeframe: null, area: null, budget: null },
  },
  summary: {
    summary: 'They talked.',
    disposition: 'other',
    sentiment: 'neutral',
    extracted: { timeframe: null, area: null, budget: null, financing: null, appointment: null },
  },
  review: { findings: [] },
}

/** The kind of request, recognized by its schema. */
const askedIn = (body: string): keyof typeof nothing => {
  const [, kind] = /"response_format".*"(summary|findings)":\{/s.exec(body) ?? []
  if (kind === undefined) return 'reply'
  return kind === 'summary' ? 'summary' : 'review'
}

/** A fake model that writes what a script says, over OpenAI's chat completions protocol. */
export function scriptedModel(script: readonly ScriptLine[]) {
  const lines = script.map((line) => ({ ...line, pattern: new RegExp(line.match, 'i') }))
  return async ({ method, path, body }: CarrierRequest): Promise<Served> => {
    if (method !== 'POST' || path.slice(1).join('/') !== 'v1/chat/completions') return notFound
    const turns = turnsOf(body)
    const asked = askedIn(body)
    if (turns === undefined) return json(400, { error: { message: 'There is nothing to complete.' } })
    const fault = faultInFormat(formatOf(body))
    if (fault !== undefined)
      return json(400, {
        error: { message: `Invalid schema for response_format: ${fault}`, code: 'invalid_json_schema' },
      })
    const said = lastSaid(turns)
    const line = lines.find(
      ({ pattern, of = 'reply', behavior }) => (of === asked || behavior !== undefined) && pattern.test(said),
    )
    if (line?.behavior === 'down') return json(503, { error: { message: 'The model is down.' } })
    if (line?.behavior === 'slow') await sleep(slowMs, undefined, { ref: false })
    const content =
      line?.behavior === 'malformed'
        ? 'Sure! I would say:'
        : JSON.stringify({ ...nothing[asked], ...line?.say })
    return json(200, completion(turns, content))
  }
}

function turnsOf(body: string): Turn[] | undefined {
  try {
    const { messages } = JSON.parse(body) as { messages?: Turn[] }
    return messages?.filter(({ content }) => typeof content === 'string')
  } catch {
    return undefined
  }
}

const formatOf = (body: string): unknown =>
  (JSON.parse(body) as { response_format?: unknown }).response_format

/** The user turns since the model last spoke. */
const lastSaid = (turns: readonly Turn[]): string =>
  turns
    .slice(turns.findLastIndex(({ role }) => role === 'assistant') + 1)
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)
    .join('\n')

/** Estimates four characters per token. */
const tokensIn = (text: string) => Math.ceil(text.length / 4)

function completion(turns: readonly Turn[], content: string) {
  const prompt_tokens = tokensIn(turns.map((turn) => turn.content).join(''))
  const completion_tokens = tokensIn(content)
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  }
}
