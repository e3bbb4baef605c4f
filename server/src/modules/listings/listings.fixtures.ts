import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, exampleMember, idOf, insertMember } from '#test/support/fixtures.ts'

async function addListing(agent: Client): Promise<string> {
  await insertMember(agent)
  const listing = { list_agent_id: exampleMember, list_price: 489_000, street_name: 'Alder Court' }
  return idOf(await agent.post('/listings', listing))
}

const url = 'https://photos.example/1.jpg'
const photos = [
  [],
  [{ url }, { url, order: 1, caption: 'Front' }, { url, caption: null }],
  Array.from({ length: 50 }, (_, i) => ({ url: `${url}?${i}`, order: 50 - i })),
]
const day = (n: number) => ({
  starts_at: `2026-12-${String(n).padStart(2, '0')}T18:00:00Z`,
  ends_at: `2026-12-${String(n).padStart(2, '0')}T14:00:00-06:00`,
})
const openHouses = [[], [day(6), day(5)]]
const urls = ['https://tours.example/48', `https://tours.example/${'x'.repeat(2026)}`]
const ready = async (agent: Client) => insertMember(agent)

export const fixtures: Fixtures = {
  records: { '/listings/{id}': async (agent) => [await addListing(agent)] },
  lists: {
    '/listings': {
      insert: addListing,
      remove: (agent, row) => agent.delete(`/listings/${row}`),
    },
  },
  ready: { 'POST /listings': ready, 'POST /listings/batch': ready },
  referents: { listing: async (workspace) => addListing(await workspace.credential()) },
  reset: {
    'POST /listings/{id}/restore': async (id) =>
      asOwner(await workerDatabase(), 'update listings set deleted_at = updated_at where id = $1', [id]),
    'POST /listings/{id}/fair-housing-acknowledgment': async (id) =>
      asOwner(await workerDatabase(), 'update listings set public_remarks = $2 where id = $1', [
        id,
        'Close to the best schools.',
      ]),
  },
  values: {
    'POST /listings/batch listings': [
      [],
      [{}, { stray: 1 }, { mls_number: 5 }],
      Array.from({ length: 100 }, (_, i) => ({ mls_number: String(i), list_agent_id: exampleMember })),
    ],
    'POST /listings photos': photos,
    'PATCH /listings/{id} photos': photos,
    'POST /listings open_houses': openHouses,
    'PATCH /listings/{id} open_houses': openHouses,
    'POST /listings virtual_tour_url': urls,
    'PATCH /listings/{id} virtual_tour_url': [...urls, null],
  },
}
