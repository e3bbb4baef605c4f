import type { ContentFinding } from '../../content/public.ts'
import type { OptOutChannel, SuppressionKind } from '../suppression.ts'
import type { RecipientLocation } from './zones.ts'

/** A message or a call that a person, an automation, or the AI wants to start. */
export interface Send {
  channel: 'sms' | 'whatsapp' | 'voice' | 'email'
  /** A reply counts as one if the person wrote on the same channel within 24 hours. */
  purpose: 'outbound' | 'reply'
  messageClass: 'marketing' | 'transactional'
  /** Who decided to send it: a person, an automation, or the AI. */
  actor: 'human' | 'automation' | 'ai'
  /** `opt_out_confirmation`: the one message that may follow an opt-out. It skips some gates. */
  kind: 'standard' | 'opt_out_confirmation'
  /** WhatsApp: the template that it uses. */
  template?: { status: string; category: string } | undefined
  /** Email: whether the recipient can unsubscribe with one click. */
  oneClickUnsubscribe?: boolean | undefined
}

/** `partial`: a consent without complete evidence. It counts as none. */
export type ConsentLevel = 'none' | 'partial' | 'express' | 'express_written'

/** Whether the number is on a do-not-call list; `unavailable` if the list is set up but cannot be read, undefined if it is not set up. */
export type DncListing = boolean | 'unavailable' | undefined

/** Everything that is known when a send is judged. Times are epoch milliseconds. */
export interface SendFacts {
  recipient: RecipientLocation & { country: 'US' | 'CA' | 'other' | 'invalid' | null }
  contact: {
    erased: boolean
    aiPaused: boolean
    /** `all` and `voice` come from other systems' lists. */
    optedOut: readonly (OptOutChannel | 'voice' | 'all')[]
    suppressions: readonly Exclude<SuppressionKind, 'opted_out'>[]
    consent: { level: ConsentLevel; revoked: boolean }
    /** When they last asked about a property, and when they last closed a deal. */
    inquiryAt?: number | undefined
    transactionAt?: number | undefined
    dnc: { national: DncListing; state: DncListing }
    lastInbound: Partial<Record<Send['channel'], number>>
    /** Marketing contacts in the last 24 hours, on all phone channels. */
    marketingSends24h: number
    /** The opt-out to confirm. */
    optOut?: { at: number; confirmed: boolean } | undefined
  }
  /** What the content scan found in the text. Findings block only what the AI sends. */
  content?: readonly PlacedFinding[] | undefined
  /** The sender; null if the workspace has none for the channel. */
  sender: SenderState | null
  workspace: {
    enabledCountries: readonly string[]
    /** Two-letter codes of the states with a declared state of emergency. */
    emergencyStates: readonly string[]
    hasPostalAddress: boolean
  }
}

/** A finding, with the part of the message that contains it. */
export interface PlacedFinding extends ContentFinding {
  field: string
}

/** A sender, with the statuses that its provider reports. `missingStates` defines which ones may send. */
export type SenderState =
  | { type: '10dlc'; brand: string; campaign: string; number: string }
  | { type: 'tollfree'; verification: string }
  | { type: 'shortcode'; status: string }
  | { type: 'whatsapp'; status: string }
  | { type: 'email'; domainAuthenticated: boolean }
  | { type: 'voice' }
