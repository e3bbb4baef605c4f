import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf } from '#test/support/fixtures.ts'

let people = 0

/** Invites a new address each time, because an address can get only ten invitations a day. */
const invite = async (agent: Client) =>
  idOf(
    await agent.post('/invitations', {
      name: 'A guest',
      email: `guest-${process.pid}-${++people}@gable.example`,
      role: 'agent',
    }),
  )

export const fixtures: Fixtures = {
  records: { '/invitations/{id}': async (agent) => [await invite(agent)] },
  lists: {
    '/invitations': { insert: invite, remove: (agent, id) => agent.delete(`/invitations/${id}`) },
  },
  reset: {
    'POST /invitations': async () => asOwner(await workerDatabase(), 'delete from invitations'),
  },
}
