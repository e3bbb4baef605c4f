export { addToTeam } from './add-to-team.ts'
export { changeMember, setMemberActive, setMemberRole } from './change-member.ts'
export { MemberHasJoined, MemberWasDeactivated } from './events.ts'
export { admitMember, createMember } from './create-member.ts'
export { createOffice } from './create-office.ts'
export { createTeam } from './create-team.ts'
export { createWorkspace } from './create-workspace.ts'
export { requireText } from './names.ts'
export {
  type MemberRow,
  type WorkingMember,
  type WorkspaceRow,
  everyWorkspace,
  findMember,
  findUnknownIds,
  findWorkingMember,
  findWorkspace,
  findWorkspacesNamed,
  insertWorkspace,
  listMembers,
  listOffices,
  listTeams,
  listWorkspaces,
  lockMemberByEmail,
} from './queries.ts'
export { type Role, isAdmin, mayManage, roles, worksLeads } from './roles.ts'
