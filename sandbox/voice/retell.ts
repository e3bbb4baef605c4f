import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Calls } from '../calls.ts'
import type { PhoneLines } from '../lines.ts'
import { type CarrierRequest, type Served, json, notFound } from '../served.ts'
import { linesFor } from './script.ts'
import { type CarriedCall, type Switchboard, secondsOf } from './switchboard.ts'
import { tonesOf } from './tones.ts'

/** A call's agent overrides that the simulated carrier supports. Every agent has a Retell LLM. */
interface Override {
  agent?: { webhook_url?: unknown; data_storage_setting?: unknown }
  retell_llm?: { start_speaker?: unknown; begin_message?: unknown }
}

const fault = (status: number, message: string): Served => json(status, { status: 'error', message })

const ends = {
  hung_up: 'user_hangup',
  no_answer: 'dial_no_answer',
  declined: 'user_declined',
  bad_number: 'invalid_destination',
  voicemail: 'voicemail_reached',
} as const

const recordings = '/retell/recordings/'

/** Fields that are not stored with `basic_attributes_only`. https://docs.retellai.com/accounts/privacy-disable */
const sensitive = new Set([
  'to_number',
  'metadata',
  'retell_llm_dynamic_variables',
  'transcript',
  'transcript_object',
  'transcript_with_tool_calls',
  'recording_url',
  'call_analysis',
])

/** Retell retries a failed webhook twice. */
const tries = 3

/**
 * Retell's API for phone calls. Every API key is an account, and signs the webhooks, which go to the URL named in the
 * call.
 */
export function retellApi({
  calls,
  lines,
  switchboard,
  now,
  origin,
  deliveryMs,
}: {
  calls: Calls
  lines: PhoneLines
  switchboard: Switchboard
  now: () => Date
  origin: () => string
  deliveryMs: number
}): (request: CarrierRequest) => Served {
  async function report(call: CarriedCall, event: string): Promise<void> {
    const url = call.more['webhookUrl']
    if (typeof url !== 'string') return
    const body = JSON.stringify({ event, call: resourceOf(call, event === 'call_analyzed') })
    for (let tried = 0; tried < tries; tried++) {
      const at = String(now().getTime())
      const digest = createHmac('sha256', call.account).update(body).update(at).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-retell-signature': `v=${at},d=${digest}` }
      const called = await calls.send(url, { method: 'POST', headers, body, timeoutMs: 10_000 })
      if (typeof called !== 'string' && called.status < 300) return
      await calls.pause(deliveryMs * 4)
    }
  }

  function resourceOf(call: CarriedCall, isAnalyzed: boolean) {
    const { id, from, to, state, end, startedAt, answeredAt, endedAt, lines: spoken, more } = call
    const isConnected = answeredAt !== null
    const start = answeredAt ?? startedAt
    const all = spoken.map(({ speaker, text, key, at }) => {
      if (key !== undefined) return { role: 'dtmf', digit: key } as const
      const seconds = (at.getTime() - start.getTime()) / 1000
      return { role: speaker, content: text, words: [{ word: text, start: seconds, end: seconds + 0.2 }] }
    })
    const turns = all.filter((one) => one.role !== 'dtmf')
    const status = {
      ringing: 'registered',
      talking: 'ongoing',
      ended: isConnected ? 'ended' : 'not_connected',
    }
    return {
      call_type: 'phone_call',
      call_id: id,
      agent_id: more['agentId'],
      call_status: status[state],
      direction: more['isOutgoing'] === true ? 'inbound' : 'outbound',
      from_number: from,
      to_number: to,
      data_storage_setting: more['storage'],
      metadata: more['metadata'],
      retell_llm_dynamic_variables: more['variables'],
      ...(isConnected && { start_timestamp: start.getTime() }),
      ...(endedAt && { end_timestamp: endedAt.getTime(), duration_ms: endedAt.getTime() - start.getTime() }),
      ...(end && { disconnection_reason: ends[end] }),
      transcript: turns.map(({ role, content }) => `${role}: ${content}`).join('\n'),
      transcript_object: turns,
      transcript_with_tool_calls: all,
      ...(state === 'ended' && isConnected && { recording_url: `${origin()}${recordings}${id}.wav` }),
      ...(isAnalyzed && { call_analysis: analysisOf(call) }),
    }
  }

  /** The stored part of a call, which the API returns. Webhooks have everything regardless. */
  function storedOf(call: CarriedCall) {
    const all = resourceOf(call, call.state === 'ended')
    if (call.more['storage'] !== 'basic_attributes_only') return all
    return Object.fromEntries(Object.entries(all).filter(([name]) => !sensitive.has(name)))
  }

  async function reportAll(call: CarriedCall, events: readonly string[], manner: string | undefined) {
    if (manner === 'none') return
    const all = manner === undefined ? events : events.toReversed().flatMap((one) => [one, one])
    for (const event of all) {
      await report(call, event)
      await calls.pause(deliveryMs)
    }
  }

  function create(key: string, body: Record<string, unknown>): Served {
    const [from, to] = [String(body['from_number']), String(body['to_number'])]
    if (!/^\+[1-9]\d{6,14}$/.test(from) || !/^\+[1-9]\d{6,14}$/.test(to))
      return fault(400, 'The number is not in E.164.')
    const { agent, retell_llm } = (body['agent_override'] ?? {}) as Override
    const begin = retell_llm?.start_speaker === 'user' ? undefined : retell_llm?.begin_message
    const line = lines.get(from)
    if (line !== undefined) line.callAgent = (caller) => answer({ from: caller, to: from, key, body })
    const { call, behavior } = switchboard.ring(
      {
        id: `call_${randomBytes(16).toString('hex')}`,
        account: key,
        from,
        to,
        ...(typeof begin === 'string' && { opening: begin }),
        more: {
          metadata: body['metadata'] ?? {},
          agentId: body['override_agent_id'],
          webhookUrl: agent?.webhook_url,
          storage: agent?.data_storage_setting ?? 'everything',
          variables: body['retell_llm_dynamic_variables'],
        },
      },
      {
        answered: (one) =>
          behavior.reports === undefined ? reportAll(one, ['call_started'], undefined) : undefined,
        ended: (one) => {
          const started = one.answeredAt !== null && behavior.reports !== undefined ? ['call_started'] : []
          return reportAll(one, [...started, 'call_ended', 'call_analyzed'], behavior.reports)
        },
      },
    )
    return behavior.response === 'reset' ? 'reset' : json(201, resourceOf(call, false))
  }

  /**
   * Handles a handset's call to an agent's number: the agent answers. Its webhook URL is the one from its last outgoing
   * call.
   */
  function answer({
    from,
    to,
    key,
    body,
  }: {
    from: string
    to: string
    key: string
    body: Record<string, unknown>
  }) {
    const { agent } = (body['agent_override'] ?? {}) as Override
    const more = {
      isOutgoing: true,
      metadata: {},
      agentId: body['override_agent_id'],
      webhookUrl: agent?.webhook_url,
      storage: agent?.data_storage_setting ?? 'everything',
    }
    const opening = 'Hello, this is the AI assistant of the office. This call is recorded. How can I help?'
    switchboard.answer(
      { id: `call_${randomBytes(16).toString('hex')}`, account: key, from, to, opening, more },
      {
        answered: (one) => reportAll(one, ['call_started'], undefined),
        ended: (one) => reportAll(one, ['call_ended', 'call_analyzed'], undefined),
      },
    )
  }

  /** By API key and agent. */
  const agentWebhooks = new Map<string, unknown>()

  return ({ method, path: [version, resource, item = ''], body, headers }) => {
    if (version === 'retell') return method === 'GET' ? recordingOf(item) : notFound
    const key = headers.authorization?.replace(/^Bearer /i, '') ?? ''
    if (headers.origin !== undefined || key === '') return fault(401, 'The API key is invalid.')
    if (version === 'update-agent' && method === 'PATCH')
      agentWebhooks.set(`${key} ${resource}`, objectIn(body)['webhook_url'])
    if (version === 'get-agent' || version === 'update-agent')
      return json(200, {
        agent_id: resource,
        agent_name: 'Simulated agent',
        is_published: true,
        webhook_url: agentWebhooks.get(`${key} ${resource}`) ?? null,
      })
    const own = (id: string) => {
      const call = switchboard.find(id)
      return call?.account === key ? call : undefined
    }
    const given = method === 'POST' ? objectIn(body) : {}
    switch (`${method} ${version}/${resource}`) {
      case 'POST v2/create-phone-call':
        return create(key, given)
      case 'POST v3/list-calls': {
        const criteria = given['filter_criteria'] as
          | { metadata?: { key: string; value: unknown }[] }
          | undefined
        const items = switchboard
          .all()
          .filter(({ account }) => account === key)
          .map((call): Record<string, unknown> => storedOf(call))
          .filter(({ metadata }) =>
            (criteria?.metadata ?? []).every(
              (one) => (metadata as Record<string, unknown> | undefined)?.[one.key] === one.value,
            ),
          )
        return json(200, { items: items.slice(0, Number(given['limit'] ?? 50)), has_more: false })
      }
      case 'GET v2/get-call': {
        const call = own(item)
        return call === undefined ? fault(404, 'There is no such call.') : json(200, storedOf(call))
      }
      case 'DELETE v2/delete-call':
        if (own(item) === undefined) return fault(404, 'There is no such call.')
        switchboard.remove(item)
        return { status: 204, headers: {}, body: '' }
      default:
        return fault(404, 'There is no such resource.')
    }
  }

  /** Returns a recording even for a forgotten call, because the demo data has calls from earlier days. */
  function recordingOf(name: string): Served {
    const [, id] = /^(call_\w{1,64})\.wav$/.exec(name) ?? []
    if (id === undefined) return notFound
    const call = switchboard.find(id)
    const seconds =
      call === undefined ? 8 + (createHash('sha1').update(id).digest()[0] ?? 0) / 32 : secondsOf(call)
    return wav(tonesOf(call?.lines ?? linesFor({}), seconds))
  }
}

export const wav = (body: Buffer): Served => ({
  status: 200,
  headers: { 'content-type': 'audio/wav', 'content-length': String(body.length) },
  body,
})

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function analysisOf({ end, lines }: CarriedCall) {
  const said = lines
    .filter(({ speaker, key }) => speaker === 'user' && key === undefined)
    .map(({ text }) => text)
  return {
    call_summary: said.length === 0 ? null : `The person said: ${said.join(' ')}`,
    user_sentiment: said.length === 0 ? 'Unknown' : 'Neutral',
    in_voicemail: end === 'voicemail',
    call_successful: said.length > 0,
    custom_analysis_data: said.some((text) => /saturday/i.test(text))
      ? { disposition: 'appointment_set' }
      : {},
  }
}
