import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'

const exampleId = 'cmi8hb7w40007m2n6c8v0b3x5'

const audited = (name: string, subject: string, summary: string) =>
  event(name, {
    scope: null,
    summary,
    subject,
    data: Type.Object({ id: Type.String(), role: Type.String() }),
    example: { id: exampleId, role: 'agent' },
    personal: [],
    timelineOf: () => null,
    entry: () => ({ type: 'system', title: summary }),
  })

export const MemberWasInvited = audited('member.invited', 'invitation', 'Somebody was invited')
export const InvitationWasRevoked = audited('member.uninvited', 'invitation', 'An invitation was taken back')
export const MemberHasJoined = audited('member.joined', 'member', 'A member can sign in')
