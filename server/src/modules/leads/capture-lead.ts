import { createHash } from 'node:crypto'
import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { recordConsent } from '../compliance/public.ts'
import { addressInForm, matchContact, phoneParts } from '../contacts/public.ts'
import { type Consent, artifactDigest, newSalt } from './consent.ts'
import { LeadCreated } from './events.ts'
import { type ConsentedLead, leadRecord } from './lead.ts'
import { insertConsent, insertLead } from './queries.ts'
import { routeLead } from './route-lead.ts'
import type { LeadDraft } from './schemas.ts'

/**
 * Captures a lead: links it to the contact with its phone number, else with its email address, else to a new one; stores
 * the consent; and routes it unless `skip_routing` is set. If two leads from one person race, both get the same contact. A key or
 * app without contacts:read:pii does not see anything that depends on the contact.
 */
export function captureLead(
  ctx: Ctx,
  { phone: text, consent, skip_routing, ...draft }: LeadDraft,
): Promise<ConsentedLead> {
  return ctx.transaction(async (limited) => {
    // The sender may be any member's contact, and the rules may assign the lead to any member.
    const open = limited.unrestricted()
    const { phone_e164: phone, phone_extension } = phoneParts(text)
    if (phone === null) throw ValidationFailed([{ path: 'phone', message: 'is not a phone number' }])
    const captured_by = ctx.masked ? ctx.actor.id : null
    const tx = open.hidingFrom(captured_by)
    const at = ctx.clock.now()
    const created = { ...leadRecord.create({ ...draft, phone }, at), phone_extension }
    const { email, first_name, last_name, source } = created
    const address = addressInForm(created.context ?? {})
    const contact = await matchContact(tx, {
      phone,
      phone_extension,
      email,
      address,
      first_name,
      last_name,
      source,
    })
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
    return skip_routing === true ? lead : (await routeLead(ctx, tx, lead, contact)).lead
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
