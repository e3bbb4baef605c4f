import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai'
import type { Egress } from '#kernel/egress/egress.ts'
import type { LanguageModel, ModelRequest, ModelResponse } from '../../modules/ai/ports.ts'

interface ModelPlace {
  url: string
  key: string | undefined
  name: string
  price: LanguageModel['price']
}

const timeoutMs = 20_000

/** A model that speaks the protocol of OpenAI's chat completions, such as those of Ollama, vLLM and llama.cpp. */
export function openaiModel({ url, key, name, price }: ModelPlace, egress: Egress): LanguageModel {
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
    async propose(request) {
      try {
        return await ask(client, name, request)
      } catch (error) {
        return faultOf(error)
      }
    },
  }
}

async function ask(
  client: OpenAI,
  model: string,
  { system, turns, schema, maxTokens, signal }: ModelRequest,
): Promise<ModelResponse> {
  const { choices, usage } = await client.chat.completions.create(
    {
      model,
      messages: [{ role: 'system', content: system }, ...turns],
      max_completion_tokens: maxTokens,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'proposal', strict: true, schema: { ...schema } },
      },
    },
    { signal },
  )
  return {
    kind: 'said',
    text: choices[0]?.message.content ?? '',
    usage: {
      promptTokens: usage?.prompt_tokens ?? 0,
      completionTokens: usage?.completion_tokens ?? 0,
    },
  }
}

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
  const { status } = error as { status?: number }
  const isDown = status === undefined || status === 408 || status === 429 || status >= 500
  return fault(isDown ? 'unavailable' : 'rejected', `status ${status ?? 'unknown'}`)
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
