import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { nullable } from '#kernel/schemas.ts'

const id = 'cmi8hb7w40008m2n6c8v0b3x5'

/** Audit events of API keys. They are internal: no webhook receives them. */
export const ApiKeyCreated = event('api_key.created', {
  scope: null,
  summary: 'An API key was created',
  subject: 'api_key',
  data: Type.Object({
    id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    acts_for: nullable(Type.String({ description: 'The member that the key acts for.' })),
    created_by_self: Type.Optional(Type.Boolean({ description: 'Whether it sees only what it created.' })),
    expires_at: nullable(Type.String()),
  }),
  example: {
    id,
    name: 'Website form',
    scopes: ['leads:write'],
    acts_for: null,
    expires_at: '2027-02-18T20:11:04.817Z',
  },
})

export const ApiKeyRevoked = event('api_key.revoked', {
  scope: null,
  summary: 'An API key was revoked',
  subject: 'api_key',
  data: Type.Object({ id: Type.String(), name: Type.String() }),
  example: { id, name: 'Website form' },
})
