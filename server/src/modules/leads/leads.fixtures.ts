import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf } from '#test/support/fixtures.ts'

/** The member of the bodies' examples. */
const claimant = 'cmi8h2k5p0000y7w2d5g8j1m4'

const newLead = { phone: '+13125550123', source: 'Website' }

const insertMember = async (leadId: string, id: string) =>
  asOwner(
    await workerDatabase(),
    `insert into members (workspace_id, id, name, email, role, active, created_at, updated_at)
     select workspace_id, $2, 'A member', $2 || '@gable.example', 'agent', true, created_at, created_at
     from leads where id = $1 on conflict do nothing`,
    [leadId, id],
  )

/** A lead with a decision and a consent, which the member of the examples may claim. */
async function claimableLead(agent: Client): Promise<string> {
  const id = idOf(await agent.post('/leads', { ...newLead, consent: {} }))
  const offer = async () =>
    asOwner(
      await workerDatabase(),
      `update leads set assignee_id = null, status = 'new', waits_for = 'pond', offered_to = array[$2] where id = $1`,
      [id, claimant],
    )
  await insertMember(id, claimant)
  await offer()
  await agent.post(`/leads/${id}/assign`, { assignee_id: claimant })
  await offer()
  return id
}

export const fixtures: Fixtures = {
  records: { '/leads/{id}': async (agent) => [await claimableLead(agent)] },
  owners: {
    '/leads/{id}': async (id, memberId) =>
      asOwner(
        await workerDatabase(),
        `update leads set assignee_id = $2, status = case when $2::text is null then 'new' else 'assigned' end,
           waits_for = null, offered_to = '{}'
         where id = $1`,
        [id, memberId],
      ),
  },
  lists: {
    '/leads': { insert: async (agent) => idOf(await agent.post('/leads', newLead)) },
    '/leads/{id}/routing': {
      parent: async (agent) => idOf(await agent.post('/leads', { ...newLead, skip_routing: true })),
      // To another member each time: the same one again would change nothing.
      async insert(agent, id) {
        const { assignee_id } = (await agent.get(`/leads/${id}`)).body
        const member = `cmi8h2k5p0000y7w2d5g8j1m${assignee_id?.endsWith('5') ? 6 : 5}`
        await insertMember(id, member)
        await agent.post(`/leads/${id}/assign`, { assignee_id: member })
        return (await agent.get(`/leads/${id}/routing?limit=1`)).body['data'][0].id
      },
    },
  },
  values: {
    'POST /leads phone': ['312-555-0123', '+1 (312) 555-0123 ext. 12345678', '+442079460958', '8005551212'],
  },
}
