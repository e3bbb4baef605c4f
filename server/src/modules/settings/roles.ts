import { ValidationFailed } from '#kernel/errors.ts'
import { type Html, choices } from '../pages/public.ts'
import { type Role, mayManage, roles } from '../workspaces/public.ts'

/** A one-sentence description of what each role may do. */
const words: Record<Role, string> = {
  owner: 'Can do everything, and is the only role that can make others owners.',
  admin: 'Manages members, keys, apps, and webhooks, but not owners.',
  isa: 'Works with every contact and lead, regardless of owner.',
  agent:
    'Works with their own contacts and leads. A team lead also sees the contacts and leads of their teams.',
  compliance: 'Reads everything, stops messages and calls, and lifts opt-outs and suppressions.',
  developer: 'Manages webhooks and reads their delivery logs. Cannot see contacts or leads.',
}

/** A choice of the roles that `by` may assign. */
export const roleChoices = (by: Role, chosen: Role, error: string | undefined): Html =>
  choices(
    'role',
    'Role',
    roles
      .filter((role) => mayManage(by, role))
      .map((role) => ({ value: role, label: role, hint: words[role], chosen: role === chosen })),
    { single: true, error },
  )

/** Returns the role with this name; undefined for an unknown one. */
export const roleIn = (text: string): Role | undefined => roles.find((role) => role === text)

/** Returns the role that a form names. Throws `ValidationFailed` for an unknown role or one that `by` may not assign. */
export function requireRole(text: string, by: Role): Role {
  const role = roleIn(text)
  if (role === undefined || !mayManage(by, role))
    throw ValidationFailed([{ path: 'role', message: 'must be a role that you can assign' }])
  return role
}
