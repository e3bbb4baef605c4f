import { fact, type StepQuestion, stepTypeFor } from '#kernel/steps/step-type.ts'
import type { Contact } from '../contacts/public.ts'
import { rerouteLead } from './assign-lead.ts'
import { findNewestLead } from './queries.ts'

/** The lead that the event or the request names, or else the newest one of the contact. */
const leadOf = async ({ tx, person, idOf }: StepQuestion<Contact>): Promise<string | undefined> =>
  idOf('lead') ?? (await findNewestLead(tx, person.id))?.id

export const routeStep = stepTypeFor<Contact>()({
  type: 'route',
  members: {},
  async perform(scene) {
    const id = await leadOf(scene)
    if (id === undefined) return { fact: fact('skipped', 'no_lead') }
    const { lead, decision } = await rerouteLead(scene.ctx, id)
    const { assignee_id } = lead
    const refs = { lead_id: id, ...(assignee_id === null ? {} : { member_id: assignee_id }) }
    return { fact: fact('done', decision.outcome, refs) }
  },
  rehearse: async (question) => ({
    fact: (await leadOf(question)) === undefined ? fact('skipped', 'no_lead') : fact('done', 'assumed'),
  }),
})
