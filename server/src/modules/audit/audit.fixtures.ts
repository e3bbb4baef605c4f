import type { Client } from '#test/support/client.ts'
import type { Fixtures } from '#test/support/fixtures.ts'
import { modules } from '../index.ts'
import { createOffice } from '../workspaces/public.ts'

/** Performs an audited action. Returns the ID of its audit log entry. */
async function act(agent: Client): Promise<string> {
  const { workspace } = agent
  if (workspace === undefined) throw new Error('Only a client of a workspace can act in it.')
  await createOffice(workspace.ctx, { name: 'An office' })
  return (await agent.get('/audit-log?limit=1')).body['data'][0].id
}

export const fixtures: Fixtures = {
  lists: { '/audit-log': { insert: act } },
  referents: { actor: async (workspace) => (await workspace.member()).id },
  values: {
    'GET /audit-log type': modules
      .flatMap(({ events = [] }) => events)
      .filter(({ audit }) => audit)
      .map(({ name }) => name),
  },
}
