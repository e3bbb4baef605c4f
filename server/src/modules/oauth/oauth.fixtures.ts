import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf } from '#test/support/fixtures.ts'
import { allScopes } from '../access/public.ts'
import { createMember } from '../workspaces/public.ts'
import { createApp } from './apps/create-app.ts'
import { approve } from './authorize/approve.ts'

let people = 0

/** Registers an app and has the workspace approve it. Returns the id of the grant. */
async function connect({ workspace, get }: Client): Promise<string> {
  if (workspace === undefined) throw new Error('Only a client of a workspace can connect an app.')
  const { ctx } = workspace
  const redirectUri = 'https://mirror.example/callback'
  const { app } = await createApp(ctx, {
    name: 'Mirror',
    redirect_uris: [redirectUri],
    scopes: ['contacts:read'],
  })
  const email = `fixture-${process.pid}-${++people}@gable.example`
  const member = await createMember(ctx, { name: 'An approver', email, role: 'admin' })
  const request = { app, redirectUri, scopes: ['contacts:read'], challenge: 'x'.repeat(43), state: undefined }
  await approve(ctx, member.id, request)
  const { data } = (await get('/grants?limit=200')).body
  return idOf({
    status: 200,
    headers: new Headers(),
    body: data.find((one: { app_id: string }) => one.app_id === app.id),
  })
}

const uris = [
  [`https://${'a'.repeat(60)}.example/${'x'.repeat(1900)}`],
  Array.from({ length: 20 }, (_, i) => `https://mirror.example/${i}`),
  ['http://127.0.0.1/done', 'http://[::1]:8080/', 'http://localhost', 'com.example.mirror:/callback'],
]
const scopes = [[...allScopes], ['contacts:write'], ['leads:read', 'leads:read']]

export const fixtures: Fixtures = {
  records: { '/grants/{id}': async (agent) => [await connect(agent)] },
  lists: { '/grants': { insert: connect, remove: (agent, id) => agent.delete(`/grants/${id}`) } },
  reset: {
    'POST /apps/{id}/enable': async (id) =>
      asOwner(await workerDatabase(), 'update oauth_apps set disabled_at = now() where id = $1', [id]),
  },
  values: {
    'POST /apps redirect_uris': uris,
    'PATCH /apps/{id} redirect_uris': uris,
    'POST /apps scopes': scopes,
    'PATCH /apps/{id} scopes': scopes,
  },
}
