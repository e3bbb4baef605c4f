import type { ContentFinding } from '../content/scan-content.ts'
import type { OptOutChannel, SuppressionKind } from '../suppression.ts'
import type { RecipientLocation } from './zones.ts'

/** A message or a call that a person, an automation, or the AI wants to begin. */
export interface Send {
  channel: 'sms' | 'whatsapp' | 'voice' | 'email'
  /** A reply counts as one if the person wrote on the same channel within 24 hours. */
  purpose: 'outbound' | 'reply'
  messageClass: 'marketing' | 'transactional'
  /** Who decided to send it: a person, an automation, or the AI. */
  actor: 'human' | 'automation' | 'ai'
  /** The one message that may follow an opt-out is judged by rules of its own. */
  kind: 'standard' | 'opt_out_confirmation'
  /** WhatsApp: the approved text it is made of. Email: whether it can be unsubscribed from with one click. */
  template?: { status: string; category: string } | undefined
  oneClickUnsubscribe?: boolean | undefined
}

/** `partial`: an artifact without its evidence, which counts as none. */
export type ConsentLevel = 'none' | 'partial' | 'express' | 'express_written'

/** A do-not-call list: whether the number is on it; `unavailable` if the list is set up and cannot be read. */
export type DncListing = boolean | 'unavailable' | undefined

/** All that is known when a send is judged. Times are epoch milliseconds. */
export interface SendFacts {
  recipient: RecipientLocation & { country: 'US' | 'CA' | 'other' | 'invalid' | null }
  contact: {
    erased: boolean
    aiPaused: boolean
    /** `all` and `voice` come from other systems' lists. */
    optedOut: readonly (OptOutChannel | 'voice' | 'all')[]
    suppressions: readonly Exclude<SuppressionKind, 'opted_out'>[]
    consent: { level: ConsentLevel; revoked: boolean }
    /** When they last asked about a property, and when a deal of theirs last closed. */
    inquiryAt?: number | undefined
    transactionAt?: number | undefined
    dnc: { national: DncListing; state: DncListing }
    lastInbound: Partial<Record<Send['channel'], number>>
    /** Marketing contacts of the last 24 hours, on all phone channels. */
    marketingSends24h: number
    /** The opt-out that is to be confirmed. */
    optOut?: { at: number; confirmed: boolean } | undefined
  }
  /** What the content scan finds in its text. It stops only what the AI sends. */
  content?: readonly PlacedFinding[] | undefined
  /** What sends it; null if the workspace has nothing for the channel. */
  sender: SenderState | null
  workspace: {
    enabledCountries: readonly string[]
    /** States in which a state of emergency is declared, as two letters. */
    emergencyStates: readonly string[]
    hasPostalAddress: boolean
  }
}

/** A finding with the part of the message that it stands in. */
export interface PlacedFinding extends ContentFinding {
  field: string
}

/** A sender with the states in which its provider reports it. Only the ones named in `gates.ts` may send. */
export type SenderState =
  | { type: '10dlc'; brand: string; campaign: string; number: string }
  | { type: 'tollfree'; verification: string }
  | { type: 'shortcode'; status: string }
  | { type: 'whatsapp'; status: string }
  | { type: 'email'; domainAuthenticated: boolean }
  | { type: 'voice' }
