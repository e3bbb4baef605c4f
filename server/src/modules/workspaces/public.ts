export { addToTeam } from './add-to-team.ts'
export { mayManage, setMemberActive, setMemberRole } from './change-member.ts'
export { MemberWasDeactivated } from './events.ts'
export { admitMember, createMember } from './create-member.ts'
export { createOffice } from './create-office.ts'
export { createTeam } from './create-team.ts'
export { createWorkspace } from './create-workspace.ts'
export { requireText } from './names.ts'
export {
  type MemberRow,
  type OfficeRow,
  type Role,
  type TeamRow,
  type WorkspaceRow,
  everyWorkspace,
  findMember,
  findStrangers,
  findWorkspace,
  findWorkspacesNamed,
  insertWorkspace,
  listMembers,
  listOffices,
  listTeams,
  listWorkspaces,
  lockMemberByEmail,
  roles,
} from './queries.ts'
