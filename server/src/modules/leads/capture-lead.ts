import { createHash } from 'node:crypto'
import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { recordConsent } from '../compliance/public.ts'
import { addressInForm, matchContact, phoneParts } from '../contacts/public.ts'
import { type Consent, artifactDigest, newSalt } from './consent.ts'
import { LeadCreated } from './events.ts'
import { type ConsentedLead, leadRecord } from './lead.ts'
import { findRepeated, insertConsent, insertLead, lockRepeated } from './queries.ts'
import { routeLead } from './route-lead.ts'
import type { LeadDraft } from './schemas.ts'

/** How long the same lead is recognized. */
const repeatedMs = 30 * 24 * 3_600_000

/**
 * Captures a lead: links it to the contact with its phone number, else with its email address, else to a new one; stores
 * the consent; and routes it unless `skip_routing` is set. If two leads from one person race, both get the same contact. A key or
 * app without contacts:read:pii does not see anything that depends on the contact. The same lead (one `source`,
 * `source_ref`, and number) from the same credential within 30 days is not captured again: returns the first, unchanged.
 */
export function captureLead(
  ctx: Ctx,
  { phone: text, consent, skip_routing, ...draft }: LeadDraft,
): Promise<{ lead: ConsentedLead; isRepeated: boolean }> {
  return ctx.transaction(async (limited) => {
    // The sender may be any member's contact, and the rules may assign the lead to any member.
    const open = limited.unrestricted()
    const { phone_e164: phone, phone_extension } = phoneParts(text)
    if (phone === null) throw ValidationFailed([{ path: 'phone', message: 'is not a phone number' }])
    const captured_by = ctx.guarded ? ctx.actor.id : null
    const tx = open.hidingFrom(captured_by)
    const at = ctx.clock.now()
    const drafted = leadRecord.create({ ...draft, phone }, at)
    const created = { ...drafted, phone_extension, created_by: ctx.actor.id }
    if (created.source_ref !== null) {
      lockRepeated(open, created)
      const first = await findRepeated(open, created, new Date(at.getTime() - repeatedMs))
      if (first !== undefined) return { lead: first, isRepeated: true }
    }
    const { email, first_name, last_name, source } = created
    const address = addressInForm(created.context ?? {})
    const sender = { phone, phone_extension, email, address, first_name, last_name, source }
    const contact = await matchContact(tx, sender, ctx.creator)
    const lead: ConsentedLead = {
      ...created,
      contact_id: contact.id,
      captured_by,
      consent: consent === undefined ? null : consentOf(consent, at),
    }
    insertLead(tx, lead)
    if (lead.consent !== null) {
      const salt = newSalt()
      insertConsent(tx, { leadId: lead.id, id: newId(at), consent: lead.consent, salt, actor: ctx.actor })
      await recordConsent(ctx, tx, {
        leadId: lead.id,
        contactId: contact.id,
        phone,
        artifact_sha256: artifactDigest(lead.id, lead.consent, salt),
      })
    }
    await open.emit(LeadCreated, { id: lead.id, lead: created }, contact.id)
    const captured = skip_routing === true ? lead : (await routeLead(ctx, tx, lead, contact)).lead
    return { lead: captured, isRepeated: false }
  })
}

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
