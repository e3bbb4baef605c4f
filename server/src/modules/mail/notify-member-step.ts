import { Type } from 'typebox'
import { idPattern } from '#kernel/ids.ts'
import { type StepQuestion, fact, stepText, stepTypeFor } from '#kernel/steps/step-type.ts'
import type { Contact } from '../contacts/public.ts'
import { activeMember, findActiveMember } from '../workspaces/public.ts'
import { queueMail } from './queue-mail.ts'

/** The address of the member to notify, by default the owner of the contact; or the reason to skip the step. */
async function addressee({ tx, person }: StepQuestion<Contact>, memberId = person.owner_id) {
  if (memberId === null) return { reason: 'no_owner' }
  const member = await findActiveMember(tx, memberId)
  return member === undefined ? { reason: 'member_inactive' } : { email: member.email }
}

export const notifyMemberStep = stepTypeFor<Contact>()({
  type: 'notify_member',
  members: {
    message: stepText(1000),
    member_id: Type.Optional(Type.String({ pattern: idPattern })),
  },
  literals: ['message'],
  references: { member_id: activeMember },
  async perform(scene, { message, member_id }) {
    const { tx, person, title } = scene
    const { email, reason } = await addressee(scene, member_id)
    if (email === undefined) return { fact: fact('skipped', reason) }
    // The mail names the contact only by ID, because an erasure cannot reach a mail that has been sent.
    const text = `${message}\n\nContact: ${person.id}`
    queueMail(tx, tx, { to: email, subject: title.replaceAll(/\s+/g, ' '), text })
    return { fact: fact('done') }
  },
  async rehearse(question, { member_id }) {
    const { email, reason } = await addressee(question, member_id)
    return { fact: email === undefined ? fact('skipped', reason) : fact('done') }
  },
})
