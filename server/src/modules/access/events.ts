import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'

const id = 'cmi8hb7w40008m2n6c8v0b3x5'

/** Audit events of API keys. They stay inside the server. */
export const ApiKeyCreated = event('api_key.created', {
  scope: null,
  summary: 'An API key was created',
  subject: 'api_key',
  data: Type.Object({ id: Type.String(), name: Type.String(), scopes: Type.Array(Type.String()) }),
  example: { id, name: 'Website form', scopes: ['leads:write'] },
})

export const ApiKeyRevoked = event('api_key.revoked', {
  scope: null,
  summary: 'An API key was revoked',
  subject: 'api_key',
  data: Type.Object({ id: Type.String(), name: Type.String() }),
  example: { id, name: 'Website form' },
})
