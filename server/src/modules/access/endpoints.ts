import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { findWorkspace } from '../workspaces/public.ts'
import { allScopes } from './scopes.ts'

const Ping = Type.Object(
  {
    workspace: Type.Object({ id: Type.String(), name: Type.String() }),
    credential: Type.Object(
      {
        type: Type.String({ enum: ['api_key', 'oauth_app', 'member'] }),
        id: Type.String(),
        name: Type.String(),
      },
      { description: 'The API key, or the app, whose `id` is its client ID.' },
    ),
    scopes: Type.Array(Type.String({ enum: allScopes }), {
      description: 'Scopes of the credential, including implied ones.',
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
  summary: 'Who am I?',
  description: 'Returns the workspace and the scopes of the credential. Use it to test a credential.',
  responses: { 200: Ping },
  handle: async (ctx) => {
    const { id, name } = orNotFound(await findWorkspace(ctx.directory, ctx.workspaceId))
    const credential = { ...ctx.actor, id: orNotFound(ctx.actor.id) }
    return ok({ workspace: { id, name }, credential, scopes: [...ctx.scopes] })
  },
})
