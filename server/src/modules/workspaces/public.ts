export { MemberExists, type NewMember, createMember } from './create-member.ts'
export { createWorkspace } from './create-workspace.ts'
export {
  type MemberRow,
  type Role,
  type WorkspaceRow,
  findWorkspace,
  insertOffice,
  insertTeam,
  insertTeamMember,
  listMembers,
  listWorkspaces,
  roles,
} from './queries.ts'
