import type { Client } from '#test/support/client.ts'
import { type Fixtures, idOf } from '#test/support/fixtures.ts'

let count = 0

/** Adds a version. Its one rule takes no leads, so that leads of the workspace are routed as before. */
async function addVersion(agent: Client): Promise<string> {
  const rule = { name: `Rule ${++count}`, enabled: false, method: 'pond', pool: { everyone: true } }
  await agent.request('PUT', '/routing-rules', { body: { rules: [rule] } })
  const { status, headers, body } = await agent.get('/routing-rules/versions?limit=1')
  return idOf({ status, headers, body: body['data'][0] })
}

const group = { any: [{ field: 'has_email', operator: 'eq', value: true }] }
const nested = (levels: number): object => (levels === 1 ? group : { all: [nested(levels - 1)] })

export const fixtures: Fixtures = {
  records: { '/routing-rules/versions/{id}': async (agent) => [await addVersion(agent)] },
  lists: { '/routing-rules/versions': { insert: addVersion } },
  values: {
    'PUT /routing-rules timezone': ['UTC', 'America/Argentina/ComodRivadavia'],
    'PUT /routing-rules rules': [
      [],
      [{ name: '😀'.repeat(120), method: 'pond', pool: { everyone: true }, conditions: nested(7) }],
      Array.from({ length: 1000 }, (_, i) => ({
        name: `Rule ${i}`,
        method: 'round_robin',
        pool: { role: 'agent' },
      })),
    ],
  },
}
