import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, exampleMember, idOf, insertContact, insertMember } from '#test/support/fixtures.ts'

async function addSearch(agent: Client): Promise<string> {
  const contact_id = idOf(await agent.post('/contacts', { first_name: 'Ada' }))
  return idOf(await agent.post('/saved-searches', { contact_id, name: 'Anything', criteria: {} }))
}

async function addListing(agent: Client): Promise<string> {
  await insertMember(agent)
  const listing = { list_agent_id: exampleMember, list_price: 489_000, status: 'active' }
  return idOf(await agent.post('/listings', listing))
}

const criteria = [
  {},
  { cities: [], postal_codes: [], property_types: [] },
  {
    cities: Array.from({ length: 50 }, (_, i) => `City ${i}`),
    postal_codes: ['60201', 'K1A 0B1'],
    property_types: ['residential', 'land'],
    price_min: 0,
    price_max: 1e12,
    bedrooms_min: 0,
    bathrooms_min: 2.5,
  },
]

export const fixtures: Fixtures = {
  ready: { 'POST /saved-searches': insertContact },
  records: {
    // Includes a matching listing.
    '/saved-searches/{id}': async (agent) => {
      await addListing(agent)
      return [await addSearch(agent)]
    },
  },
  lists: {
    '/saved-searches': {
      insert: addSearch,
      remove: (agent, row) => agent.delete(`/saved-searches/${row}`),
    },
    '/saved-searches/{id}/matches': {
      parent: addSearch,
      insert: addListing,
      remove: (agent, row) => agent.delete(`/listings/${row}`),
    },
  },
  owners: {
    '/saved-searches/{id}': async (id, memberId) =>
      asOwner(
        await workerDatabase(),
        'update contacts set owner_id = $2 where id = (select contact_id from saved_searches where id = $1)',
        [id, memberId],
      ),
  },
  values: {
    'POST /saved-searches active': [true, false],
    'POST /saved-searches criteria': criteria,
    'PATCH /saved-searches/{id} criteria': criteria,
  },
}
