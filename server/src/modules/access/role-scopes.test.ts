import { expect, test } from 'vitest'
import { roles } from '../workspaces/public.ts'
import { scopesOf } from './role-scopes.ts'
import { allScopes } from './scopes.ts'

const working = allScopes.filter(
  (scope) => !/^((webhooks|settings|compliance):|automations:write$)/.test(scope),
)

test.each([
  ['owner', allScopes],
  ['admin', allScopes],
  ['isa', working],
  ['agent', working],
  [
    'compliance',
    [
      'contacts:read',
      'contacts:read:pii',
      'leads:read',
      'events:read',
      'messages:read',
      'calls:read',
      'deals:read',
      'listings:read',
      'appointments:read',
      'automations:read',
      'compliance:read',
      'compliance:write',
    ],
  ],
  ['developer', ['webhooks:manage']],
] as const)('the role %s has exactly its scopes', (role, scopes) => {
  expect([...scopesOf(role)]).toEqual(scopes)
})

test('every role has at least one scope', () => {
  for (const role of roles) expect(scopesOf(role).size, role).toBeGreaterThan(0)
})
