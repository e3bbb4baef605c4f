/** What a member is in a workspace. What each may do is in `modules/access/role-scopes.ts`. */
export const roles = ['owner', 'admin', 'isa', 'agent', 'compliance', 'developer'] as const
export type Role = (typeof roles)[number]

/** Whether members with the role manage the workspace: its members, keys, apps and webhooks. */
export const isAdmin = (role: Role): boolean => role === 'owner' || role === 'admin'

/** Whether a member with the role may invite, change or remove one with the other: owners anyone, admins all but owners. */
export const mayManage = (by: Role, other: Role): boolean =>
  by === 'owner' || (by === 'admin' && other !== 'owner')

/** Whether members with the role work leads: those who do not, groups of a routing rule leave out. */
export const worksLeads = (role: Role): boolean => role !== 'compliance' && role !== 'developer'
