import { expect, test } from 'vitest'
import type { Authentication, Principal } from './authentication.ts'
import { type Endpoint, endpoint, ok } from './endpoint.ts'
import { authorize } from './route.ts'

const creation: Endpoint = endpoint('POST /things', {
  scope: 'any',
  tag: 'Test',
  summary: 'Create a credential',
  responses: {},
  recentSignIn: true,
  handle: async () => ok({}) as never,
})

const authenticated = (principal: Partial<Principal>): Authentication => ({
  principal: {
    workspaceId: 'a workspace',
    credentialId: 'a credential',
    scheme: 'Session',
    actor: { type: 'member', id: 'a member', name: 'A member' },
    scopes: new Set(),
    reach: 'all',
    ...principal,
  },
  rate: { limit: 1, remaining: 1, resetAt: 0 },
})

test.each<[string, Partial<Principal>, number | undefined]>([
  ['a session with a recent sign-in', { recentlyAuthenticated: true }, undefined],
  ['an older session', { recentlyAuthenticated: false }, 403],
  ['an API key', { scheme: 'Token' }, 403],
  ['an app', { scheme: 'Bearer' }, 403],
])('error status when creating a credential with %s: %s', (_, principal, status) => {
  const authorized = () => authorize(creation, authenticated(principal))
  if (status === undefined) expect(authorized).not.toThrow()
  else expect(authorized).toThrow(expect.objectContaining({ code: 'recent_sign_in_required', status }))
})
