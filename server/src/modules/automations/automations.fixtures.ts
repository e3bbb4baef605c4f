import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, exampleContact, idOf, insertContact } from '#test/support/fixtures.ts'
import { exampleDefinition } from './automation.ts'

const draft = { name: 'Welcome', definition: exampleDefinition }

async function addAutomation(agent: Client): Promise<string> {
  const id = idOf(await agent.post('/automations', draft))
  await agent.post(`/automations/${id}/publish`)
  await agent.post(`/automations/${id}/enable`)
  return id
}

async function enroll(agent: Client, automationId: string, contactId: string): Promise<string> {
  return idOf(await agent.post(`/automations/${automationId}/enroll`, { contact_id: contactId }))
}

const addContact = async (agent: Client) => idOf(await agent.post('/contacts', { first_name: 'Ada' }))

const definitions = [
  { steps: [{ key: 'vip', type: 'tag', tag: 'vip' }] },
  {
    triggers: [
      { event: 'lead.created', conditions: { field: 'contact.stage', operator: 'eq', value: 'LEAD' } },
    ],
    exits: [{ when: 'replied' }],
    re_enrollment: { after_days: 90 },
    send_window: { from: '09:00', to: '18:00', zone: 'contact' },
    steps: [{ key: 'note', type: 'note', body: 'A note.' }],
  },
]

export const fixtures: Fixtures = {
  ready: { 'POST /automations/{id}/enroll': insertContact },
  records: {
    '/automations/{id}': async (agent) => [await addAutomation(agent)],
    '/enrollments/{id}': async (agent) => [
      await enroll(agent, await addAutomation(agent), await addContact(agent)),
    ],
  },
  lists: {
    '/automations': { insert: (agent) => addAutomation(agent) },
    '/automations/{id}/enrollments': {
      parent: addAutomation,
      insert: async (agent, automation) => enroll(agent, automation, await addContact(agent)),
    },
    '/contacts/{id}/enrollments': {
      parent: addContact,
      insert: async (agent, contact) => enroll(agent, await addAutomation(agent), contact),
    },
  },
  reset: {
    'POST /automations/{id}/enroll': async () =>
      asOwner(
        await workerDatabase(),
        "update enrollments set status = 'completed', due_at = null where contact_id = $1",
        [exampleContact],
      ),
  },
  owners: {
    '/enrollments/{id}': async (id, memberId) =>
      asOwner(
        await workerDatabase(),
        'update contacts set owner_id = $2 where id = (select contact_id from enrollments where id = $1)',
        [id, memberId],
      ),
  },
  values: {
    'POST /automations definition': definitions,
    'PATCH /automations/{id} definition': definitions,
    'POST /automations/validate definition': definitions,
  },
}
