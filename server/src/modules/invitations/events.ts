import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'

const audited = (name: string, summary: string) =>
  event(name, {
    scope: null,
    summary,
    subject: 'invitation',
    data: Type.Object({ id: Type.String(), role: Type.String() }),
    example: { id: 'cmi8hb7w40007m2n6c8v0b3x5', role: 'agent' },
  })

export const MemberWasInvited = audited('member.invited', 'An invitation was sent')
export const InvitationWasRevoked = audited('member.uninvited', 'An invitation was revoked')
