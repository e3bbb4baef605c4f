import { createHash } from 'node:crypto'
import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { maskEmail, maskPhone, maskText, matchContact, toE164 } from '../contacts/public.ts'
import type { Consent } from './consent.ts'
import { LeadCreated } from './events.ts'
import type { ConsentedLead } from './lead.ts'
import { insertConsent, insertLead } from './queries.ts'
import { routeLead } from './route-lead.ts'
import type { LeadDraft } from './schemas.ts'

/**
 * Takes a lead in: links it to the contact with its phone number, or else its e-mail address, which is made where there
 * is none, keeps what the person agreed to, and routes it. Two leads of one person at the same time make one contact.
 */
export function captureLead(ctx: Ctx, draft: LeadDraft): Promise<ConsentedLead> {
  const { first_name = null, last_name = null, email = null, source } = draft
  return ctx.transaction(async (tx) => {
    const phone = toE164(draft.phone)
    if (phone === undefined) throw ValidationFailed([{ path: 'phone', message: 'is not a phone number' }])
    const contact = await matchContact(tx, { phone, email, first_name, last_name, source })
    const at = ctx.clock.now()
    const lead: ConsentedLead = {
      id: newId(at),
      contact_id: contact.id,
      status: 'new',
      source,
      source_ref: draft.source_ref ?? null,
      first_name,
      last_name,
      phone,
      email,
      context: draft.context ?? null,
      assignee_id: null,
      waits_for: null,
      offered_to: [],
      offered_until: null,
      try_at: null,
      routing: null,
      created_at: at.toISOString(),
      updated_at: at.toISOString(),
      erased_at: null,
      consent: draft.consent === undefined ? null : consentOf(draft.consent, at),
    }
    insertLead(tx, lead)
    if (lead.consent !== null)
      insertConsent(tx, { leadId: lead.id, id: newId(at), consent: lead.consent, actor: ctx.actor })
    await tx.emit(LeadCreated, {
      id: lead.id,
      contact_id: contact.id,
      lead: {
        first_name: masked(first_name, maskText),
        last_name: masked(last_name, maskText),
        email: masked(email, maskEmail),
        phone: maskPhone(phone),
        source: maskText(source),
        source_ref: masked(lead.source_ref, maskText),
      },
    })
    return draft.skip_routing === true ? lead : (await routeLead(ctx, tx, lead, contact)).lead
  })
}

const masked = (value: string | null, mask: (text: string) => string) => (value === null ? null : mask(value))

function consentOf(draft: NonNullable<LeadDraft['consent']>, at: Date): Consent {
  const form_snapshot = draft.form_snapshot ?? null
  return {
    captured_at: draft.captured_at ?? null,
    source_url: draft.source_url ?? null,
    ip: draft.ip ?? null,
    form_snapshot,
    form_sha256:
      form_snapshot === null
        ? null
        : createHash('sha256').update(JSON.stringify(form_snapshot)).digest('hex'),
    received_at: at.toISOString(),
    revoked_at: null,
  }
}
