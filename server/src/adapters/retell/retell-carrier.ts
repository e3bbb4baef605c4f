import type { Clock } from '#kernel/clock.ts'
import type { Egress, Reply } from '#kernel/egress/egress.ts'
import type {
  CallReport,
  OpenClearedCall,
  OutgoingCall,
  ProviderAccount,
  SendOutcome,
  VoiceCarrier,
} from '../../modules/calls/ports.ts'
import { callbackReader } from '../callback-body.ts'
import {
  objectOf,
  objectsIn,
  retryAfterMs,
  saysGone,
  sendLater,
  testOutcome,
  unavailable,
  unexpected,
  unknown,
  withoutNumbers,
} from '../replies.ts'
import { ourId, callReportOf, reportIn } from './call-resource.ts'
import { isSignedByRetell } from './signature.ts'

const readReport = callbackReader(reportIn, import.meta.resolve('./call-resource.ts'))

export interface RetellOptions {
  open: OpenClearedCall
  clock: Clock
  egress: Egress
  /** This server's public address, for Retell's callbacks. */
  origin: () => string
  /** The origin of the simulated carrier, for simulated accounts. */
  simulatedUrl: (account: Pick<ProviderAccount, 'workspaceId'>) => string
}

const apiOrigin = 'https://api.retellai.com'

/** Hosts where Retell stores recordings. */
const recordingHosts =
  /(?:^|\.)(?:retellai\.com|dxc03zgurdly9\.cloudfront\.net)$|^retellai\.s3\.us-west-2\.amazonaws\.com$/

/** A request that can't start within this time is not sent. */
const startMs = 1_000

const maxRecording = 200 * 2 ** 20

/** Fits an hours-long transcript, word by word. */
const maxCall = 16 * 2 ** 20

/**
 * Calls by a Retell AI agent. An account's name is the agent ID; its secret is the API key, which also signs callbacks.
 */
export function retellCarrier({
  open,
  clock,
  egress,
  origin: publicOrigin,
  simulatedUrl,
}: RetellOptions): VoiceCarrier {
  const originOf = (account: ProviderAccount) => (account.simulated ? simulatedUrl(account) : apiOrigin)

  const request = (
    account: ProviderAccount,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
  ) =>
    egress.send({
      method,
      url: originOf(account) + path,
      headers: {
        authorization: `Bearer ${account.secrets[0]}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      startMs,
      maxBytes: maxCall,
    })

  const callbackUrlOf = ({ id }: ProviderAccount) => `${publicOrigin()}/callbacks/retell/${id}`
  const agentPath = ({ name }: ProviderAccount) => `/get-agent/${encodeURIComponent(name)}`

  async function read(account: ProviderAccount, id: string): Promise<CallReport | undefined> {
    const reply = await request(account, 'GET', `/v2/get-call/${encodeURIComponent(id)}`)
    if (reply.status !== 200) return undefined
    const found = objectOf(reply)
    return callReportOf(found, found['call_analysis'] !== undefined && found['call_status'] === 'ended')
  }

  return {
    async place(account, cleared) {
      try {
        const call = open(cleared, clock.now())
        const body = {
          from_number: call.from,
          to_number: call.to,
          override_agent_id: account.name,
          metadata: { [ourId]: call.callId },
          ...overrideOf(call, callbackUrlOf(account)),
        }
        return outcomeOf(await request(account, 'POST', '/v2/create-phone-call', body))
      } catch (error) {
        // The call may already have been placed: its clearance could be used up.
        return unknown(error instanceof Error ? error.message : 'defect')
      }
    },
    async test(account) {
      return testOutcome(await request(account, 'GET', agentPath(account)))
    },
    async readInboundUrl(account) {
      const reply = await request(account, 'GET', agentPath(account))
      if (reply.status !== 200) throw unexpected('Retell’s agent', reply)
      const { webhook_url: url } = objectOf(reply)
      return {
        actual: typeof url === 'string' ? url : null,
        expected: callbackUrlOf(account),
        setting: 'the webhook URL of the agent',
      }
    },
    parse(account, { method, headers, body }) {
      const signature = headers['x-retell-signature'] ?? ''
      if (method !== 'POST' || !isSignedByRetell(account.secrets, signature, body, clock.now()))
        return undefined
      return readReport(body, (report) => ({ report, response: { type: 'text/plain', body: '' } }))
    },
    async find(account, { callId, providerCallId }) {
      if (providerCallId !== null) return read(account, providerCallId)
      const filter = { type: 'string', op: 'eq', key: ourId, value: callId }
      const list = await request(account, 'POST', '/v3/list-calls', {
        filter_criteria: { metadata: [filter] },
        limit: 10,
      })
      const found = objectsIn(objectOf(list)['items']).find(
        ({ metadata }) => (metadata as Record<string, unknown> | undefined)?.[ourId] === callId,
      )
      return typeof found?.['call_id'] === 'string' ? read(account, found['call_id']) : undefined
    },
    async fetchRecording(account, url) {
      const base = account.simulated ? simulatedUrl(account) : undefined
      if (!URL.canParse(url, base)) return 'not_of_provider'
      // The simulated carrier's address may have changed.
      const target = account.simulated ? new URL(new URL(url, base).pathname, base) : new URL(url)
      const isTheirs = account.simulated || (target.protocol === 'https:' && recordingHosts.test(target.host))
      if (!isTheirs) return 'not_of_provider'
      const { status, body } = await egress.stream({
        method: 'GET',
        url: target.href,
        headers: {},
        maxBytes: maxRecording,
      })
      if (status === 200) return body
      body.destroy()
      throw new Error(`The recording could not be read: status ${status}.`)
    },
    async erase(account, providerCallId) {
      const reply = await request(account, 'DELETE', `/v2/delete-call/${encodeURIComponent(providerCallId)}`)
      return reply.status === 204 || reply.status === 200 || saysGone(reply)
    },
  }
}

/**
 * The agent overrides for a call. Only agents with a Retell LLM start with the opening on their own; others must use
 * the dynamic variable. If the call is not recorded, Retell doesn't store its content either, but webhooks still report
 * it.
 */
function overrideOf({ opening, recorded }: OutgoingCall, webhookUrl: string) {
  return {
    agent_override: {
      // The opening offers a key to press.
      agent: {
        webhook_url: webhookUrl,
        allow_user_dtmf: true,
        ...(!recorded && { data_storage_setting: storesNothing }),
      },
      ...(opening !== null && { retell_llm: { start_speaker: 'agent', begin_message: opening } }),
    },
    ...(opening !== null && { retell_llm_dynamic_variables: { [ourOpening]: opening } }),
  }
}

/** The storage setting that keeps no recordings and no transcripts. */
const storesNothing = 'basic_attributes_only'

/** The dynamic variable with the AI's opening. */
const ourOpening = 'gable_opening'

/**
 * Interprets the response. Once any byte may have been sent, anything but a clear response leaves it unknown whether
 * the call was placed.
 */
function outcomeOf(reply: Reply): SendOutcome {
  const { status, sent, failure } = reply
  if (!sent) return sendLater(unavailable(failure ?? 'no connection'))
  if (status === null) return unknown(failure ?? 'no response')
  const { call_id, message } = objectOf(reply)
  if (status >= 200 && status < 300 && typeof call_id === 'string')
    return { kind: 'taken', providerMessageId: call_id }
  const text = withoutNumbers(typeof message === 'string' ? message : `status ${status}`)
  if (status === 429)
    return sendLater(unavailable('Retell asks for a slower pace', '429'), retryAfterMs(reply))
  if (status === 401 || status === 402)
    return sendLater({ code: 'credentials_rejected', carrierCode: String(status), message: text })
  if (status >= 400 && status < 500)
    return { kind: 'rejected', failure: { code: 'rejected', carrierCode: String(status), message: text } }
  return unknown(`status ${status}`)
}
