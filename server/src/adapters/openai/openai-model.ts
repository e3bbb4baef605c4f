import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai'
import type { Egress } from '#kernel/egress/egress.ts'
import type { LanguageModel, ModelRequest, ModelResponse, Usage } from '../../modules/ai/ports.ts'
import { strictSchema } from './strict-schema.ts'

interface ModelPlace {
  url: string
  key: string | undefined
  name: string
  price: LanguageModel['price']
  /** How much it thinks; undefined for what it does by itself. */
  reasoning: 'none' | 'minimal' | 'low' | 'medium' | 'high' | undefined
}

const timeoutMs = 20_000

/** Room for a model that thinks before it writes. Within the 20 seconds hardly any writes more. */
const thinkingTokens = 4_000

/** A model that speaks the protocol of OpenAI's chat completions, such as those of Ollama, vLLM and llama.cpp. */
export function openaiModel(place: ModelPlace, egress: Egress): LanguageModel {
  const { url, key, name, price, reasoning } = place
  const client = new OpenAI({
    baseURL: url,
    apiKey: key ?? 'none',
    // Undefined would mean what the environment says.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: 'off',
    // By itself it asks three times, and waits for ten minutes.
    maxRetries: 0,
    timeout: timeoutMs,
    fetch: fetchThrough(egress),
  })
  return {
    name,
    price,
    thinkingTokens: reasoning === 'none' ? 0 : thinkingTokens,
    async propose(request) {
      try {
        return await ask(client, place, request)
      } catch (error) {
        return faultOf(error)
      }
    },
  }
}

async function ask(
  client: OpenAI,
  { url, name, reasoning }: ModelPlace,
  { system, turns, schema, maxTokens, signal }: ModelRequest,
): Promise<ModelResponse> {
  const { choices, usage } = await client.chat.completions.create(
    {
      model: name,
      messages: [{ role: 'system', content: system }, ...turns],
      ...(isOfOpenai(url) ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }),
      ...(reasoning !== undefined && { reasoning_effort: reasoning }),
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'proposal', strict: true, schema: strictSchema(schema) },
      },
    },
    { signal },
  )
  const [choice] = choices
  const counted = usageIn(usage)
  if (choice?.finish_reason === 'length')
    return { kind: 'fault', fault: 'cut_off', message: `more than ${maxTokens} tokens`, usage: counted }
  if (typeof choice?.message.refusal === 'string' || choice?.finish_reason === 'content_filter')
    return { kind: 'fault', fault: 'refused', message: 'the model refused', usage: counted }
  return { kind: 'said', text: choice?.message.content ?? '', usage: counted }
}

/** OpenAI's reasoning models reject `max_tokens`. Other servers know no other name, and some ignore OpenAI's: nothing bounds them then. */
const isOfOpenai = (url: string) => /(^|\.)openai\.(com|azure\.com)$/.test(new URL(url).hostname)

/** Undefined where a server counts nothing, or what cannot be. */
function usageIn(usage: OpenAI.CompletionUsage | null | undefined): Usage | undefined {
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage ?? {}
  return isCount(promptTokens) && isCount(completionTokens) ? { promptTokens, completionTokens } : undefined
}

const isCount = (tokens: number | undefined): tokens is number =>
  Number.isInteger(tokens) && tokens !== undefined && tokens >= 0 && tokens < 1e8

/** The words of the provider are left out: they may quote what it was given. */
function faultOf(error: unknown): ModelResponse {
  const fault = (kind: 'timeout' | 'unavailable' | 'rejected', message: string): ModelResponse => ({
    kind: 'fault',
    fault: kind,
    message,
  })
  if (error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError)
    return fault('timeout', `no response within ${timeoutMs / 1000} s`)
  if (error instanceof APIConnectionError) return fault('unavailable', 'no connection, or no whole response')
  if (!(error instanceof APIError)) return fault('unavailable', 'a response that cannot be read')
  const { status, code } = error as { status?: number; code?: unknown }
  const isDown = status === undefined || status === 408 || status === 429 || status >= 500
  const why = typeof code === 'string' && /^[a-z_]{1,60}$/.test(code) ? `, ${code}` : ''
  return fault(isDown ? 'unavailable' : 'rejected', `status ${status ?? 'unknown'}${why}`)
}

const fetchThrough =
  (egress: Egress) =>
  async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const sent = egress.send({
      method: 'POST',
      url: String(url),
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: String(init?.body),
      startMs: timeoutMs,
    })
    const { status, body, failure, headers } = await orAborted(sent, init?.signal ?? undefined)
    if (status === null) throw new TypeError(failure ?? 'no response')
    const type = headers['content-type']
    return new Response(new Uint8Array(body), {
      status,
      headers: { 'content-type': typeof type === 'string' ? type : 'application/json' },
    })
  }

async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
