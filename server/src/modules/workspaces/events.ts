import { Type } from 'typebox'
import { Changes, auditEvent, updateEvent } from '#kernel/events/event.ts'

const id = 'cmi8hb7w40007m2n6c8v0b3x5'
const Id = Type.Object({ id: Type.String() })

export const WorkspaceCreated = auditEvent(
  'workspace.created',
  'workspace',
  'The workspace was created',
  Id,
  {
    id,
  },
)
export const WorkspaceUpdated = updateEvent(
  'workspace',
  "The workspace's name, time zone, or currency was changed",
  id,
  { field: 'timezone', from: 'America/New_York', to: 'America/Chicago' },
)
export const TestClockTurned = auditEvent(
  'test_clock.turned',
  'workspace',
  'The clock of a workspace in test mode was turned forward',
  Type.Object({ id: Type.String(), ms: Type.Number(), now: Type.String() }),
  { id, ms: 900_000, now: '2026-11-24T18:00:00.000Z' },
)
const renamed = { field: 'name', from: 'Evanston', to: 'Evanston North' }
export const OfficeCreated = auditEvent('office.created', 'office', 'An office was created', Id, { id })
export const TeamCreated = auditEvent('team.created', 'team', 'A team was created', Id, { id })
export const OfficeUpdated = updateEvent('office', 'An office was updated', id, renamed)
export const TeamUpdated = updateEvent('team', 'A team was updated', id, renamed)

const teamMemberEvent = (name: string, summary: string) =>
  auditEvent(name, 'team', summary, Type.Object({ id: Type.String(), member_id: Type.String() }), {
    id,
    member_id: 'cmi8hb7w40009m2n6c8v0b3x5',
  })

export const TeamMemberAdded = teamMemberEvent('team.member_added', 'A member was added to a team')
export const TeamMemberRemoved = teamMemberEvent('team.member_removed', 'A member was removed from a team')

const memberEvent = (name: string, summary: string) =>
  auditEvent(name, 'member', summary, Type.Object({ id: Type.String(), role: Type.String() }), {
    id,
    role: 'agent',
  })

export const MemberAdded = memberEvent('member.added', 'A member was added')
export const MemberWasActivated = memberEvent('member.activated', 'A member was activated')
export const MemberWasDeactivated = memberEvent('member.deactivated', 'A member was deactivated')
export const MemberBecameTeamLead = memberEvent('member.team_lead_assigned', 'A member became a team lead')
export const MemberNoLongerTeamLead = memberEvent(
  'member.team_lead_removed',
  'A member is no longer a team lead',
)
export const MemberUpdated = auditEvent(
  'member.updated',
  'member',
  "A member's name, phone number, or office was changed",
  Type.Object({ id: Type.String(), role: Type.String(), changes: Changes }),
  { id, role: 'agent', changes: [{ field: 'name', from: 'Dana Reyes', to: 'Dana Ortiz' }] },
)
export const MemberRoleChanged = memberEvent('member.role_changed', 'The role of a member changed')
export const MemberHasJoined = memberEvent('member.joined', 'A member can sign in')
