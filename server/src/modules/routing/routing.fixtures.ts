import type { Client } from '#test/support/client.ts'
import { type Fixtures, idOf } from '#test/support/fixtures.ts'

let count = 0

/** Adds a version. Its only rule is disabled, so the workspace's leads are routed as before. */
async function addVersion(agent: Client): Promise<string> {
  const rule = { name: `Rule ${++count}`, enabled: false, method: 'pond', pool: { everyone: true } }
  await agent.request('PUT', '/routing-rules', { body: { rules: [rule] } })
  const { status, headers, body } = await agent.get('/routing-rules/versions?limit=1')
  return idOf({ status, headers, body: body['data'][0] })
}

const addAgent = async ({ workspace }: Client) => (await workspace?.member())?.id ?? ''

const group = { any: [{ field: 'has_email', operator: 'eq', value: true }] }
const nested = (levels: number): object => (levels === 1 ? group : { all: [nested(levels - 1)] })

const defaults = [
  { method: 'pond', pool: { everyone: true } },
  { name: 'x'.repeat(120), method: 'round_robin', pool: { role: 'agent' } },
]
const timezones = ['UTC', 'America/Argentina/ComodRivadavia']
const ruleLists = [
  [],
  [{ name: '😀'.repeat(120), method: 'pond', pool: { everyone: true }, conditions: nested(7) }],
  Array.from({ length: 1000 }, (_, i) => ({
    name: `Rule ${i}`,
    method: 'round_robin',
    pool: { role: 'agent' },
  })),
]

export const fixtures: Fixtures = {
  records: {
    '/routing-rules/versions/{id}': async (agent) => [await addVersion(agent)],
    // An agent has the member's id.
    '/agents/{id}': async (agent) => [await addAgent(agent)],
  },
  lists: { '/routing-rules/versions': { insert: addVersion }, '/agents': { insert: addAgent } },
  values: {
    'PATCH /agents/{id} timezone': [...timezones, null],
    'PATCH /agents/{id} paused_until': ['2056-07-01t10:00:00+02:00', '9999-12-31T23:59:59.999Z', null],
    'PATCH /agents/{id} shifts': [
      [],
      Array.from({ length: 50 }, (_, i) => ({ days: ['sun'], from: '00:00', to: `23:${i + 10}` })),
    ],
    'PUT /routing-rules default': defaults,
    'PUT /routing-rules timezone': timezones,
    'PUT /routing-rules rules': ruleLists,
    'POST /routing-rules/validate default': defaults,
    'POST /routing-rules/validate timezone': timezones,
    'POST /routing-rules/validate rules': ruleLists,
  },
}
