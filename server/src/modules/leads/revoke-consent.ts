import type { Ctx } from '#kernel/context.ts'
import { NotFound, orNotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { recordRevocation } from '../compliance/public.ts'
import { lockPersons } from '../contacts/public.ts'
import { changeLead } from './change-lead.ts'
import { ConsentRevoked } from './events.ts'
import type { ConsentedLead } from './lead.ts'
import { lockWritable } from './lock.ts'
import { findLead, insertRevocation } from './queries.ts'

/**
 * Records that the person behind a lead revokes everything they have consented to so far, on any of their leads
 * (47 CFR 64.1200(a)(10)). Throws 404 for a lead without a consent. Revoking again leaves the lead unchanged.
 */
export const revokeConsent = (ctx: Ctx, id: string): Promise<ConsentedLead> =>
  ctx.transaction(async (limited) => {
    const { phone, contact_id } = orNotFound(await findLead(limited, id))
    const contactIds = contact_id === null ? [] : [contact_id]
    const points = phone === null ? [] : [{ type: 'phone' as const, value: phone }]
    await lockPersons(limited, { contactIds, points })
    const { lead } = await lockWritable(limited, id)
    const tx = limited.unrestricted()
    const { consent } = lead
    if (consent === null) throw NotFound('This lead has no consent.')
    await recordRevocation(tx, [
      ...points,
      ...contactIds.map((value) => ({ type: 'contact' as const, value })),
    ])
    if (consent.revoked_at !== null) return lead
    const at = ctx.clock.now()
    insertRevocation(tx, { leadId: id, id: newId(at), actor: ctx.actor, at })
    await tx.emit(ConsentRevoked, { id }, contact_id)
    return { ...changeLead(tx, lead, {}), consent: { ...consent, revoked_at: at.toISOString() } }
  })
