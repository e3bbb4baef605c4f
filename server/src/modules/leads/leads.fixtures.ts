import { orNotFound } from '#kernel/errors.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, exampleMember, idOf, insertMember, newPhone } from '#test/support/fixtures.ts'

const newLead = () => ({ phone: newPhone(), source: 'Website' })

/** Creates a lead with a decision and a consent. The example member may claim the lead. */
async function claimableLead(agent: Client): Promise<string> {
  const id = idOf(await agent.post('/leads', { ...newLead(), consent: {} }))
  const offer = async () =>
    asOwner(
      await workerDatabase(),
      `update leads set assignee_id = null, status = 'new', waits_for = 'pond', offered_to = array[$2]
       where workspace_id = $3 and id = $1`,
      [id, exampleMember, orNotFound(agent.workspace).id],
    )
  await insertMember(agent)
  await offer()
  await agent.post(`/leads/${id}/assign`, { assignee_id: exampleMember })
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
    '/leads': { insert: async (agent) => idOf(await agent.post('/leads', newLead())) },
    '/leads/{id}/routing': {
      parent: async (agent) => idOf(await agent.post('/leads', { ...newLead(), skip_routing: true })),
      // Alternates between two members, because assigning to the same one again would change nothing.
      async insert(agent, id) {
        const { assignee_id } = (await agent.get(`/leads/${id}`)).body
        const member = `cmi8h2k5p0000y7w2d5g8j1m${assignee_id?.endsWith('5') ? 6 : 5}`
        await insertMember(agent, member)
        await agent.post(`/leads/${id}/assign`, { assignee_id: member })
        return (await agent.get(`/leads/${id}/routing?limit=1`)).body['data'][0].id
      },
    },
  },
  values: {
    // Whatever is wrong with an item concerns it alone.
    'POST /leads/batch items': [[{}], [{ stray: 1 }, {}], Array.from({ length: 200 }, () => ({}))],
    'POST /routing-rules/test context': [{}, { intent: 'rent', beds: [3, null] }],
    'POST /routing-rules/test rules': [
      { rules: [] },
      { timezone: 'UTC', rules: [{ name: 'All', method: 'pond', pool: { everyone: true } }] },
    ],
    'POST /leads context': [
      {},
      { zip: '60614', price: 450_000, tags: ['buyer'], listing: { beds: [3, null] } },
    ],
    'POST /leads consent': [
      {},
      { captured_at: 1_772_463_600, source_url: 'https://lakeside.example/valuation', ip: '2001:db8::7' },
      { captured_at: '2026-03-02T15:00:00Z', form_snapshot: { consent: 'I agree.', boxes: [true] } },
    ],
    'POST /leads phone': ['312-555-0123', '+1 (312) 555-0123 ext. 12345678', '+442079460958', '8005551212'],
  },
}
