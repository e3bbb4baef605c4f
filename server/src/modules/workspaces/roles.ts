/** A member's role in a workspace. `modules/access/role-scopes.ts` defines what each role may do. */
export const roles = ['owner', 'admin', 'isa', 'agent', 'compliance', 'developer'] as const
export type Role = (typeof roles)[number]

/** Whether the role manages the workspace: its members, keys, apps, and webhooks. */
export const isAdmin = (role: Role): boolean => role === 'owner' || role === 'admin'

/**
 * Whether a member with role `by` may invite, change, or remove one with role `other`. Owners may manage everyone,
 * admins everyone but owners.
 */
export const mayManage = (by: Role, other: Role): boolean =>
  by === 'owner' || (by === 'admin' && other !== 'owner')

/** Whether members with the role work leads. Groups of a routing rule skip those who do not. */
export const worksLeads = (role: Role): boolean => role !== 'compliance' && role !== 'developer'
