import { type ContentCode, citationOf } from '../../content/public.ts'
import { stoppedBy } from '../stopped-channels.ts'
import { type ConsentCode, consentCodes, hasConsent, hasRelationship } from './consent-gate.ts'
import { emergencyRules } from './emergency-rules.ts'
import { type HoursRule, type StateRule, canadian, federal, stateRules } from './hours-rules.ts'
import { type LocalHours, type HoursCode, hoursCodes } from './hours.ts'
import type { SendFacts, DncListing, Send } from './send.ts'
import { type SenderCode, senderCodes } from './sender-gate.ts'
import { statesOf, zonesOf } from './zones.ts'

export type Code =
  | 'recipient_invalid'
  | 'recipient_erased'
  | 'country_not_enabled'
  | 'opted_out'
  | 'opt_out_confirmation_already_sent'
  | `suppressed_${SendFacts['contact']['suppressions'][number]}`
  | ConsentCode
  | 'dnc_national'
  | 'dnc_state'
  | 'dnc_check_unavailable'
  | SenderCode
  | 'whatsapp_template_required'
  | 'whatsapp_template_not_approved'
  | 'whatsapp_marketing_us_paused'
  | 'email_unsubscribe_missing'
  | 'email_postal_address_missing'
  | ContentCode
  | 'frequency_cap'
  | HoursCode
  | 'timezone_unknown'

/** A send, its facts, and what they imply. */
export interface Matter {
  send: Send
  facts: SendFacts
  /** Epoch milliseconds. */
  now: number
  /** Whether this replies to a message that the person wrote on this channel within 24 hours. Never true for a call. */
  isReply: boolean
  states: readonly string[]
  zones: readonly string[]
  /** Whether a recent inquiry or deal creates a relationship. */
  relationship: boolean
  isByPhone: boolean
  /** Whether this confirms an opt-out within five minutes of it. A later confirmation is judged like any other message. */
  isConfirmation: boolean
  /** Whether this is marketing by phone that is not a reply, which most rules are about. */
  isSolicitation: boolean
  stateRules: readonly StateRule[]
}

export interface Finding {
  codes: readonly Code[]
  /** The violated rules, for gates that have several. */
  rules?: readonly Pick<HoursRule, 'id' | 'citation'>[]
}

const replyMs = 24 * 60 * 60_000
const freshReplyMs = 60 * 60_000
const confirmationMs = 5 * 60_000

export function matterOf(send: Send, facts: SendFacts, now: number): Matter {
  const { channel, purpose, messageClass, actor, kind } = send
  const isByPhone = channel !== 'email'
  const lastInbound = facts.contact.lastInbound[channel]
  // A call is never a reply.
  const isReply =
    purpose === 'reply' && channel !== 'voice' && lastInbound !== undefined && now - lastInbound <= replyMs
  const states = isByPhone ? statesOf(facts.recipient) : []
  const isSolicitation = isByPhone && messageClass === 'marketing' && !isReply
  const automatedVoice = channel === 'voice' && actor !== 'human'
  const relationship = hasRelationship(send, facts, now)
  const lifted = ({ liftedBy }: StateRule) =>
    liftedBy !== undefined &&
    (hasConsent(facts.contact.consent, 'express') || (liftedBy === 'consent or relationship' && relationship))
  const applies = (rule: StateRule) =>
    states.includes(rule.state) && (rule.automatedVoiceOnly !== true || automatedVoice) && !lifted(rule)
  const { optOut } = facts.contact
  return {
    send,
    facts,
    now,
    isReply,
    isConfirmation:
      kind === 'opt_out_confirmation' && optOut !== undefined && now - optOut.at <= confirmationMs,
    states,
    zones: isByPhone ? zonesOf(facts.recipient) : [],
    relationship,
    isByPhone,
    isSolicitation,
    stateRules: isSolicitation
      ? [...stateRules, ...emergencyRules(facts.workspace.emergencyStates)].filter(applies)
      : [],
  }
}

/** The hours that apply to a send; undefined if it may go out at any hour. */
export function hoursOf(matter: Matter): LocalHours | undefined {
  const { send, facts, now, isReply, zones, isByPhone, isConfirmation, stateRules: rules } = matter
  const lastInbound = facts.contact.lastInbound[send.channel]
  if (!isByPhone || isConfirmation) return undefined
  if (isReply && lastInbound !== undefined && now - lastInbound <= freshReplyMs) return undefined
  return { rules: [generalRule(facts), ...rules], zones }
}

/**
 * Every rule whose hours may apply to the send now or later: in time, a reply stops counting as one, and a relationship ends. Omits
 * emergency rules, because they never open.
 */
export const candidateRules = ({ facts, states }: Matter): HoursRule[] => [
  generalRule(facts),
  ...stateRules.filter(({ state }) => states.includes(state)),
]

const generalRule = ({ recipient }: SendFacts) => (recipient.country === 'CA' ? canadian : federal)

const nothing: Finding = { codes: [] }
const only = (code: Code, isMissing: boolean): Finding => (isMissing ? { codes: [code] } : nothing)

function recipientGate({ facts: { recipient, contact, workspace }, isByPhone }: Matter): Finding {
  const codes: Code[] = []
  const { country } = recipient
  if (isByPhone && (country === null || country === 'invalid')) codes.push('recipient_invalid')
  else if (isByPhone && country !== null && !workspace.enabledCountries.includes(country))
    codes.push('country_not_enabled')
  if (contact.erased) codes.push('recipient_erased')
  return { codes }
}

function optOutGate({ send, facts: { contact }, isConfirmation }: Matter): Finding {
  const { channel, actor, messageClass } = send
  if (isConfirmation) return only('opt_out_confirmation_already_sent', contact.optOut?.confirmed === true)
  if (channel === 'email' && messageClass === 'transactional') return nothing
  const stopping = [...contact.optedOut].some((one) => {
    if (one === 'voice_auto') return channel === 'voice' && actor !== 'human'
    return one === 'all' || one === channel
  })
  return only('opted_out', stopping)
}

const suppressionGate = ({ facts: { contact }, isByPhone }: Matter): Finding => ({
  codes: contact.suppressions
    .filter((kind) => stoppedBy[kind] === 'all' || stoppedBy[kind] === (isByPhone ? 'phone' : 'email'))
    .map((kind) => `suppressed_${kind}` as const),
})

const consentGate = (matter: Matter): Finding => ({ codes: consentCodes(matter.send, matter.facts, matter) })

/** Do-not-call lists. Written consent or a relationship overrides them; oral consent does not. */
function dncGate({ facts: { contact }, isSolicitation, relationship }: Matter): Finding {
  if (!isSolicitation || relationship || hasConsent(contact.consent, 'express_written')) return nothing
  const { national, state } = contact.dnc
  const isUnavailable = (listing: DncListing) => listing === 'unavailable'
  const codes: Code[] = []
  if (national === true) codes.push('dnc_national')
  if (state === true) codes.push('dnc_state')
  if ([national, state].some(isUnavailable)) codes.push('dnc_check_unavailable')
  return { codes }
}

const senderGate = ({ send, facts }: Matter): Finding => ({ codes: senderCodes(send, facts) })

function channelGate({ send, facts, now }: Matter): Finding {
  const { channel, messageClass, template, oneClickUnsubscribe = false } = send
  if (channel === 'whatsapp') {
    const wrote = facts.contact.lastInbound.whatsapp
    if (template === undefined)
      return only('whatsapp_template_required', wrote === undefined || now - wrote > replyMs)
    if (template.status !== 'APPROVED') return { codes: ['whatsapp_template_not_approved'] }
    const isPaused = template.category === 'MARKETING' && facts.recipient.country === 'US'
    return only('whatsapp_marketing_us_paused', isPaused)
  }
  if (channel !== 'email' || messageClass !== 'marketing') return nothing
  return {
    codes: [
      ...only('email_unsubscribe_missing', !oneClickUnsubscribe).codes,
      ...only('email_postal_address_missing', !facts.workspace.hasPostalAddress).codes,
    ],
  }
}

/** Checks only what an AI says. People are responsible for what they write; the preflight warns them. */
function contentGate({ send, facts: { content = [] } }: Matter): Finding {
  if (send.actor !== 'ai' || content.length === 0) return nothing
  const rules = new Map(content.map((found) => [found.category, citationOf(found)]))
  return {
    codes: [...new Set(content.map(({ code }) => code))],
    rules: [...rules].map(([id, citation]) => ({ id, citation })),
  }
}

function frequencyGate({ facts: { contact }, stateRules: rules }: Matter): Finding {
  const reached = rules.filter(({ perDay = Number.POSITIVE_INFINITY }) => contact.marketingSends24h >= perDay)
  return { ...only('frequency_cap', reached.length > 0), rules: reached }
}

function hoursGate(matter: Matter): Finding {
  const hours = hoursOf(matter)
  if (hours === undefined) return nothing
  if (hours.zones.length === 0) return { codes: ['timezone_unknown'] }
  const { codes, failed } = hoursCodes(hours, matter.now)
  return { codes, rules: failed }
}

/** All gates, in order. The first that fails gives the reason. Hours come last, because only they can be passed by waiting. */
export const gates = {
  recipient: recipientGate,
  opt_out: optOutGate,
  suppression: suppressionGate,
  consent: consentGate,
  dnc: dncGate,
  sender_registration: senderGate,
  channel_policy: channelGate,
  content: contentGate,
  frequency: frequencyGate,
  quiet_hours: hoursGate,
} as const

export type GateName = keyof typeof gates
export const gateNames = Object.keys(gates) as GateName[]

/** Gates that the confirmation of an opt-out skips, because it only confirms the opt-out and is the last message. */
export const unasked: ReadonlySet<GateName> = new Set([
  'suppression',
  'consent',
  'dnc',
  'frequency',
  'quiet_hours',
])
