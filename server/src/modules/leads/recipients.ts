import type { Ctx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import { AppError } from '#kernel/errors.ts'
import {
  type Recipient,
  type SuppressionRow,
  SuppressionsUnreadable,
  findAgainst,
} from '../compliance/public.ts'
import { toEmailAddress } from '../contacts/public.ts'
import { type Consent, consentBlockers, givenAt } from './consent.ts'
import type { LeadRecord } from './lead.ts'
import { listInquiriesOf } from './queries.ts'

type Sender = Pick<LeadRecord, 'phone' | 'email' | 'contact_id'>

/** What is on record against the person who sent a lead. */
export interface Against {
  /** Their active suppressions; undefined if these cannot be read. */
  held: readonly SuppressionRow[] | undefined
  /** When they last revoked all consents given until then; null if they never did. */
  revoked_at: string | null
}

/**
 * Finds, in one batch, what is on record against the senders of these leads. If the suppressions cannot be read, this does not throw,
 * so that leads can still be shown: `held` is undefined for each lead with a phone number or a contact, which blocks the lead.
 */
export async function findAgainstSenders(
  ctx: Ctx,
  leads: readonly Sender[],
): Promise<(lead: Sender) => Against> {
  try {
    const against = await findAgainst(ctx.unrestricted(), leads.map(recipientOf))
    return (lead) => againstOf(against(recipientOf(lead)))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== SuppressionsUnreadable.code) throw error
    ctx.log.error({ err: error, workspaceId: ctx.workspaceId }, 'leads are shown as blocked')
    return (lead) => ({
      held: lead.phone === null && lead.contact_id === null ? [] : undefined,
      revoked_at: null,
    })
  }
}

function recipientOf({ phone, email, contact_id }: Sender): Recipient {
  const address = email === null ? undefined : toEmailAddress(email)
  return {
    points: [
      ...(phone === null ? [] : [{ type: 'phone' as const, value: phone }]),
      ...(address === undefined ? [] : [{ type: 'email' as const, value: address }]),
    ],
    contactId: contact_id,
  }
}

function againstOf(rows: readonly SuppressionRow[]): Against {
  return {
    held: rows,
    revoked_at: rows
      .filter(({ kind }) => kind === 'consent_revoked')
      .reduce<string | null>(
        (last, { created_at }) => (last === null || created_at > last ? created_at : last),
        null,
      ),
  }
}

/** What a lead says about the person with its number or address. Times are epoch milliseconds. */
export interface LeadInquiry {
  phone: string | null
  email: string | null
  source: string | null
  receivedAt: number
  /** `sufficient`: it says when it was given, and where or on which form; `partial`: some of that is missing. */
  consent: { level: 'sufficient' | 'partial'; givenAt: number; revoked: boolean } | null
}

/** The inquiries from these contacts, with the consents that came with them. */
export async function listInquiries(
  db: Db,
  contactIds: readonly string[],
  now: Date,
): Promise<LeadInquiry[]> {
  if (contactIds.length === 0) return []
  const leads = await listInquiriesOf(db, contactIds)
  return leads.map(({ phone, email, source, created_at, consent }) => ({
    phone,
    email,
    source,
    receivedAt: Date.parse(created_at),
    consent: consent === null ? null : consentOf(consent, now),
  }))
}

const consentOf = (consent: Consent, now: Date): LeadInquiry['consent'] => ({
  level: consentBlockers({ ...consent, revoked_at: null }, now).length === 0 ? 'sufficient' : 'partial',
  givenAt: givenAt(consent),
  revoked: consent.revoked_at !== null,
})
