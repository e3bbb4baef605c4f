import { ValidationFailed } from '#kernel/errors.ts'
import { type Html, choices } from '../pages/public.ts'
import { type Role, mayManage, roles } from '../workspaces/public.ts'

/** What somebody of a role may do, in a sentence. */
const words: Record<Role, string> = {
  owner: 'May do everything, and is the only one who may make others owners.',
  admin: 'Looks after members, keys, apps and webhooks, but not after owners.',
  agent: 'Works with contacts and leads.',
}

/** The roles that somebody of a role may give. */
export const roleChoices = (by: Role, chosen: Role, fault: string | undefined): Html =>
  choices(
    'role',
    'Role',
    roles
      .filter((role) => mayManage(by, role))
      .map((role) => ({ value: role, label: role, hint: words[role], chosen: role === chosen })),
    { single: true, fault },
  )

/** The role of this name. */
export const roleIn = (text: string): Role | undefined => roles.find((role) => role === text)

/** The role that a form names. Throws ValidationFailed for one that there is not, or that `by` may not give. */
export function requireRole(text: string, by: Role): Role {
  const role = roleIn(text)
  if (role === undefined || !mayManage(by, role))
    throw ValidationFailed([{ path: 'role', message: 'must be one of those that you may give' }])
  return role
}
