export { activeMember, findActiveMember } from './active-member.ts'
export { MemberInactive, changeMember, setMemberActive, setMemberRole } from './change-member.ts'
export { MemberHasJoined, MemberWasDeactivated, TestClockTurned, WorkspaceCreated } from './events.ts'
export { admitMember, createMember } from './create-member.ts'
export { createWorkspace } from './create-workspace.ts'
export { type MemberRow, seesWhole, toManagers } from './member.ts'
export { Line, requireText } from './names.ts'
export { createOffice } from './offices.ts'
export {
  type WorkingMember,
  everyWorkspace,
  findClockAhead,
  findMember,
  findUnknownIds,
  findWorkingMember,
  findWorkspace,
  findWorkspacesNamed,
  insertWorkspace,
  findResponsible,
  findFirstOwnerWithPhone,
  listMembers,
  listWorkspaces,
  lockMemberByEmail,
} from './queries.ts'
export { roleOfActor } from './role-of-actor.ts'
export { type Role, isAdmin, mayManage, roles, worksLeads } from './roles.ts'
export { listOffices, listTeams } from './team-queries.ts'
export { addToTeam, createTeam } from './teams.ts'
export { updateWorkspace } from './update-workspace.ts'
export { type WorkspaceRow, workspaceRecord } from './workspace.ts'
export { readingAgain } from './reading-again.ts'
