export { MemberExists, type NewMember, createMember } from './create-member.ts'
export { createWorkspace } from './create-workspace.ts'
export { requireText } from './names.ts'
export {
  type MemberRow,
  type OfficeRow,
  type Role,
  type TeamRow,
  type WorkspaceRow,
  findWorkspace,
  findWorkspacesNamed,
  insertOffice,
  insertTeam,
  insertTeamMember,
  insertWorkspace,
  listMembers,
  listOffices,
  listTeams,
  listWorkspaces,
  roles,
  updateMemberActive,
} from './queries.ts'
