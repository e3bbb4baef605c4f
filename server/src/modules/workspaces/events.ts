import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'

/** What becomes of members, for those who look it up. It stays inside the house. */
const memberEvent = (name: string, summary: string) =>
  event(name, {
    scope: null,
    summary,
    subject: 'member',
    data: Type.Object({ id: Type.String(), role: Type.String() }),
    example: { id: 'cmi8hb7w40007m2n6c8v0b3x5', role: 'agent' },
    personal: [],
    timelineOf: () => null,
    entry: () => ({ type: 'system', title: summary }),
  })

export const MemberWasActivated = memberEvent('member.activated', 'A member was let in again')
export const MemberWasDeactivated = memberEvent('member.deactivated', 'A member was removed')
export const MemberRoleChanged = memberEvent('member.role_changed', 'A member has another role')
