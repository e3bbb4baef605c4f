import type { Ctx } from '#kernel/context.ts'
import { NotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { ConsentRevoked } from './events.ts'
import type { ConsentedLead } from './lead.ts'
import { lockWritable } from './lock.ts'
import { insertRevocation, saveLead } from './queries.ts'

/** Keeps that the person has taken their consent back. 404 for a lead without one; a second time changes nothing. */
export const revokeConsent = (ctx: Ctx, id: string): Promise<ConsentedLead> =>
  ctx.transaction(async (tx) => {
    const { lead } = await lockWritable(tx, id)
    const { consent } = lead
    if (consent === null) throw NotFound('This lead came without a consent.')
    if (consent.revoked_at !== null) return lead
    const at = ctx.clock.now()
    insertRevocation(tx, { leadId: id, id: newId(at), actor: ctx.actor, at })
    await tx.emit(ConsentRevoked, { id, contact_id: lead.contact_id })
    const touched = { ...lead, updated_at: at.toISOString() }
    saveLead(tx, touched)
    return { ...touched, consent: { ...consent, revoked_at: at.toISOString() } }
  })
