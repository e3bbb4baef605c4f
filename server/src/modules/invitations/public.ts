export { inviteMember } from './invite-member.ts'
export { type InvitationRow, listInvitations } from './queries.ts'
export { revokeInvitation } from './revoke-invitation.ts'
