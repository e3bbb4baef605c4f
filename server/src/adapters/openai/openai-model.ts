import type OpenAI from 'openai'
import type * as library from 'openai'
import type { Egress } from '#kernel/egress/egress.ts'
import type { LanguageModel, ModelRequest, ModelResponse, Usage } from '../../modules/ai/ports.ts'
import { strictSchema } from './strict-schema.ts'

type Library = typeof library

interface ModelPlace {
  url: string
  key: string | undefined
  name: string
  price: LanguageModel['price']
  /** Reasoning effort; undefined for the model's default. */
  reasoning: 'none' | 'minimal' | 'low' | 'medium' | 'high' | undefined
}

const timeoutMs = 20_000

/** Token allowance for models that think before they write. Hardly any model exceeds it within 20 seconds. */
const thinkingTokens = 4_000

/** A model behind OpenAI's chat completions protocol, as offered by Ollama, vLLM, and llama.cpp, among others. */
export function openaiModel(place: ModelPlace, egress: Egress): LanguageModel {
  const { url, key, name, price, reasoning } = place
  let opened: Promise<{ library: Library; client: OpenAI }> | undefined
  async function open() {
    const loaded = await import('openai')
    const client = new loaded.default({
      baseURL: url,
      apiKey: key ?? 'none',
      // `undefined` would fall back to environment variables.
      organization: null,
      project: null,
      adminAPIKey: null,
      webhookSecret: null,
      logLevel: 'off',
      // The defaults are up to three attempts and a 10-minute timeout.
      maxRetries: 0,
      timeout: timeoutMs,
      fetch: fetchThrough(egress),
    })
    return { library: loaded, client }
  }
  return {
    name,
    price,
    thinkingTokens: reasoning === 'none' ? 0 : thinkingTokens,
    async propose(request) {
      // Loaded on first use: its hundreds of files would delay every start.
      const { library: loaded, client } = await (opened ??= open())
      try {
        return await ask(client, place, request)
      } catch (error) {
        return faultOf(loaded, error)
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
    return { kind: 'fault', fault: 'declined', message: 'the model declined', usage: counted }
  return { kind: 'said', text: choice?.message.content ?? '', usage: counted }
}

/**
 * OpenAI's reasoning models reject `max_tokens`. Other servers know only that name, and some ignore OpenAI's new one,
 * which would leave the output unbounded.
 */
const isOfOpenai = (url: string) => /(^|\.)openai\.(com|azure\.com)$/.test(new URL(url).hostname)

/** Undefined if the server reports no usage or an implausible one. */
function usageIn(usage: OpenAI.CompletionUsage | null | undefined): Usage | undefined {
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage ?? {}
  return isCount(promptTokens) && isCount(completionTokens) ? { promptTokens, completionTokens } : undefined
}

const isCount = (tokens: number | undefined): tokens is number =>
  Number.isInteger(tokens) && tokens !== undefined && tokens >= 0 && tokens < 1e8

/** Maps an error to a fault. Omits the provider's message, which may quote the prompt. */
function faultOf(
  { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError }: Library,
  error: unknown,
): ModelResponse {
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
