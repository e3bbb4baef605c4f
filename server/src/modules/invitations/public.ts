export { inviteMember } from './invite-member.ts'
export { type InvitationRow, findOpenInvitation, listInvitations } from './queries.ts'
export { revokeInvitation } from './revoke-invitation.ts'
