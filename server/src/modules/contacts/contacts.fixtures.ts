import type { TestWorkspace } from '#test/support/app.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf, newPhone } from '#test/support/fixtures.ts'
import { insertEnrollments } from '../automations/automations.fixtures.ts'

const addresses = [
  { street: '48 Alder Court', city: 'Chicago', state: 'Illinois', postal_code: '60614-1234', country: null },
  { state: 'IL' },
  {},
  {
    street: '😀'.repeat(200),
    city: '😀'.repeat(80),
    state: '😀'.repeat(80),
    postal_code: '😀'.repeat(20),
    country: '😀'.repeat(80),
  },
]

const addTo = async (workspace: TestWorkspace) => idOf(await (await workspace.credential()).post('/contacts'))

export const fixtures: Fixtures = {
  records: {
    // Has a history, for the lists under the contact.
    '/contacts/{id}': async (agent) => {
      const id = idOf(await agent.post('/contacts', { first_name: 'Ada', phone: newPhone() }))
      for (const body of ['Prefers mornings.', 'Call first.'])
        await agent.post(`/contacts/${id}/notes`, { body })
      await insertEnrollments(agent, id)
      return [id]
    },
  },
  owners: {
    '/contacts/{id}': async (id, memberId) =>
      asOwner(await workerDatabase(), 'update contacts set owner_id = $2 where id = $1', [id, memberId]),
  },
  lists: {
    '/contacts': {
      insert: async (agent) =>
        idOf(await agent.post('/contacts', { first_name: 'Ada', stage: 'LEAD', source: 'Web' })),
      remove: (agent, row) => agent.delete(`/contacts/${row}`),
    },
    '/contacts/{id}/notes': {
      parent: async (agent) => idOf(await agent.post('/contacts')),
      insert: async (agent, id) => idOf(await agent.post(`/contacts/${id}/notes`, { body: 'A note' })),
    },
    '/contacts/{id}/events': {
      parent: async (agent) => idOf(await agent.post('/contacts')),
      insert: async (agent, id) => idOf(await agent.post(`/contacts/${id}/notes`, { body: 'A note' })),
    },
  },
  values: {
    // Whatever is wrong with an item concerns it alone.
    'POST /contacts/batch items': [[{}], [{ stray: 1 }, {}], Array.from({ length: 200 }, () => ({}))],
    // An ID belongs to one contact, so the same value cannot be sent for several.
    'POST /contacts external_ids': [[]],
    'PATCH /contacts/{id} external_ids': [[]],
    'POST /contacts address': addresses,
    'PATCH /contacts/{id} address': [...addresses, null],
    'POST /contacts timezone': ['America/Chicago', 'UTC', 'america/argentina/comodrivadavia'],
    'PATCH /contacts/{id} timezone': ['America/Chicago', 'UTC', null],
  },
  // An event may have any record as its subject.
  referents: { contact: addTo, subject: addTo },
}
