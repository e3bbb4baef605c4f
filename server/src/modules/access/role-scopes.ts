import type { Role } from '../workspaces/public.ts'
import { type Scope, allScopes } from './scopes.ts'

const reading = allScopes.filter((scope) => /:read(:|$)/.test(scope))
const working = allScopes.filter(
  (scope) => !/^((webhooks|settings|compliance):|automations:write$)/.test(scope),
)

/**
 * What a signed-in member of each role may do. A member's reach determines on which records. `webhooks:manage` gives
 * developers the webhooks and their delivery logs. It excludes the journal (`events:read`), which contains data of
 * records.
 */
const roleScopes: Record<Role, ReadonlySet<Scope>> = {
  owner: new Set(allScopes),
  admin: new Set(allScopes),
  isa: new Set(working),
  agent: new Set(working),
  compliance: new Set<Scope>([...reading, 'compliance:write']),
  developer: new Set<Scope>(['webhooks:manage']),
}

export const scopesOf = (role: Role): ReadonlySet<Scope> => roleScopes[role]
