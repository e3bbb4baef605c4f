import type { ConsentLevel, SendFacts, Send } from './send.ts'

export type ConsentCode =
  | 'ai_paused'
  | 'consent_missing'
  | 'consent_insufficient'
  | 'consent_revoked'
  | 'ai_consent_missing'

/** A level of consent, and whether a recent inquiry or deal suffices instead. */
interface Needed {
  level: 'none' | 'express' | 'express_written'
  orRelationship?: true
}

const none: Needed = { level: 'none' }
const express: Needed = { level: 'express' }
const written: Needed = { level: 'express_written' }
const expressOrRelationship: Needed = { level: 'express', orRelationship: true }

type ByActor = Record<Send['actor'], Needed>

/** The consent that a send needs if it is not a reply. */
const needed: Record<Send['channel'], Record<Send['messageClass'], ByActor>> = {
  sms: {
    transactional: { human: expressOrRelationship, automation: expressOrRelationship, ai: express },
    marketing: { human: expressOrRelationship, automation: written, ai: written },
  },
  voice: {
    transactional: { human: none, automation: express, ai: express },
    marketing: { human: none, automation: written, ai: written },
  },
  whatsapp: {
    transactional: { human: express, automation: express, ai: express },
    marketing: { human: express, automation: express, ai: written },
  },
  email: {
    transactional: { human: none, automation: none, ai: express },
    marketing: { human: none, automation: none, ai: express },
  },
}

/** Connecticut also requires written consent for marketing texts and calls by a person. */
const connecticut: Needed = { level: 'express_written', orRelationship: true }

function neededFor({ channel, messageClass, actor }: Send, states: readonly string[]): Needed {
  const isByPhone = channel === 'sms' || channel === 'voice'
  const isInConnecticut = states.includes('CT') && messageClass === 'marketing'
  return isInConnecticut && isByPhone && actor === 'human'
    ? connecticut
    : needed[channel][messageClass][actor]
}

const rank: Record<ConsentLevel, number> = { none: 0, partial: 0, express: 1, express_written: 2 }

/** Whether the consent reaches the level and has not been revoked. */
export const hasConsent = (
  { level, revoked }: SendFacts['contact']['consent'],
  least: ConsentLevel,
): boolean => !revoked && rank[level] >= rank[least]

/** For how many calendar months an inquiry or a closed deal creates a relationship (47 CFR 64.1200(f)(5)). */
const inquiryMonths = 3
const transactionMonths = 18

/**
 * Whether a recent inquiry or deal creates a relationship. A revocation of consent ends the relationship for everything except a call
 * by a human.
 */
export function hasRelationship({ channel, actor }: Send, { contact }: SendFacts, now: number): boolean {
  const { consent, inquiryAt, transactionAt } = contact
  if (consent.revoked && !(channel === 'voice' && actor === 'human')) return false
  return within(inquiryAt, inquiryMonths, now) || within(transactionAt, transactionMonths, now)
}

function within(at: number | undefined, months: number, now: number): boolean {
  if (at === undefined) return false
  const end = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC').add({ months })
  return now <= end.epochMilliseconds
}

/** Returns what consent lacks for a send. `isReply`: the person wrote on this channel within 24 hours, so no consent is needed. */
export function consentCodes(
  send: Send,
  facts: SendFacts,
  { states, isReply, relationship }: { states: readonly string[]; isReply: boolean; relationship: boolean },
): ConsentCode[] {
  const { consent, aiPaused } = facts.contact
  const codes: ConsentCode[] = []
  if (aiPaused && send.actor === 'ai' && send.channel !== 'voice') codes.push('ai_paused')
  if (isReply) return codes
  const { level, orRelationship = false } = neededFor(send, states)
  if (hasConsent(consent, level) || level === 'none' || (orRelationship && relationship)) return codes
  if (consent.revoked) codes.push('consent_revoked')
  else if (rank[consent.level] > 0) codes.push('consent_insufficient')
  else codes.push(send.actor === 'ai' ? 'ai_consent_missing' : 'consent_missing')
  return codes
}
