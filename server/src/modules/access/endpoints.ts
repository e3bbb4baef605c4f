import { Type } from 'typebox'
import { found } from '#kernel/errors.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { findWorkspace } from '../workspaces/public.ts'
import { allScopes } from './scopes.ts'

const Ping = Type.Object(
  {
    workspace: Type.Object({ id: Type.String(), name: Type.String() }),
    credential: Type.Object(
      { type: Type.Enum(['api_key', 'oauth_app']), id: Type.String(), name: Type.String() },
      { description: 'The API key, or the app that acts for the workspace; its id is the client id.' },
    ),
    scopes: Type.Array(Type.String({ enum: allScopes }), {
      description: 'What the credential may do, implied scopes included.',
    }),
  },
  {
    title: 'Ping',
    examples: [
      {
        workspace: { id: 'cmi8h0x9z0001a2s4d6f8g0h1', name: 'Lakeside Realty Group' },
        credential: { type: 'api_key', id: 'cmi8h1a0b0002q4e7r9t3y5u8', name: 'crm-sync' },
        scopes: ['contacts:read', 'contacts:write'],
      },
    ],
  },
)

export const getPing = endpoint('GET /ping', {
  scope: 'any',
  tag: 'Meta',
  summary: 'Who am I?',
  description: 'The workspace and the scopes that the credential resolves to. A good first call.',
  answers: { 200: Ping },
  handle: async (ctx) => {
    const { id, name } = found(await findWorkspace(ctx.directory, ctx.workspaceId))
    return ok({ workspace: { id, name }, credential: ctx.actor, scopes: [...ctx.scopes] })
  },
})
