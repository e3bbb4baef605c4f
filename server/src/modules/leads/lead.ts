import type { Resumed } from '../routing/public.ts'
import type { Consent } from './consent.ts'

/** Where a lead stands. `converted` and `disqualified` are the end of it; the others are open. */
export const statuses = ['new', 'assigned', 'claimed', 'contacted', 'converted', 'disqualified'] as const
export type Status = (typeof statuses)[number]

export const isOpen = ({ status }: { status: Status }) => status !== 'converted' && status !== 'disqualified'

/** What a lead waits for while nobody has it: an eligible agent, a rule's hours, a claim in time, or any claim. */
export const waits = ['agent', 'hours', 'claim', 'pond'] as const

/** In short, the decision that holds. */
export interface RoutingNote {
  decision_id: string
  rule_id: string | null
  rule_version: number | null
  method: string | null
  reason: string
  /** After an offer that nobody took: what is tried again, and not the offer. */
  resumes?: Resumed
}

export interface Lead {
  id: string
  contact_id: string | null
  status: Status
  /** Null, like all that is personal, after an erasure. */
  source: string | null
  source_ref: string | null
  first_name: string | null
  last_name: string | null
  phone: string | null
  email: string | null
  context: Record<string, unknown> | null
  assignee_id: string | null
  waits_for: (typeof waits)[number] | null
  offered_to: string[]
  offered_until: string | null
  /** When it is tried again to place it; null where it waits for neither agent nor hours. */
  try_at: string | null
  routing: RoutingNote | null
  created_at: string
  updated_at: string
  erased_at: string | null
}

/** A lead with what its sender consented to. */
export interface ConsentedLead extends Lead {
  consent: Consent | null
}
