import { afterAll, expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'

const app = await testApp()
afterAll(() => app[Symbol.asyncDispose]())
const { credential } = await app.workspace()
const agent: Client = await credential()

const unknownId = 'cmi8h0x2d0000q1w4e7r9t2y5'

test.for<[body: object, status: number, details: Record<string, string>]>([
  [{}, 400, { source: 'is required' }],
  [{ source: '' }, 400, { source: 'must not be empty' }],
  [{ source: 'Web', zip: 60614 }, 400, { zip: 'must be string' }],
  [{ source: 'Web', zip: '6'.repeat(17) }, 400, { zip: 'must have at most 16 characters' }],
  [{ source: 'Web', city: ['Evanston'] }, 400, { city: 'must be string' }],
  [{ source: 'Web', price: '450k' }, 400, { price: 'must be number' }],
  [{ source: 'Web', price: -1 }, 400, { price: 'must be >= 0' }],
  [{ source: 'Web', has_phone: 'yes' }, 400, { has_phone: 'must be boolean' }],
  [{ source: 'Web', stage: 'x'.repeat(33) }, 400, { stage: 'must have at most 32 characters' }],
  [{ source: 'Web', tags: ['buyer', 3] }, 400, { 'tags.1': 'must be string' }],
  [{ source: 'Web', Zip: '60614' }, 400, { Zip: 'is not a known field; did you mean zip?' }],
  [{ source: 'Web', context: {} }, 400, { context: 'is not a known field' }],
  [{ source: 'Web', zip: 1, price: 'x' }, 400, { zip: 'must be string', price: 'must be number' }],
  [{ source: 'Web', office_id: unknownId }, 404, { office_id: 'does not exist in this workspace' }],
  [{ source: 'Web', team_id: 'north shore' }, 404, { team_id: 'does not exist in this workspace' }],
  [
    { source: 'Web', office_id: unknownId, team_id: unknownId },
    404,
    { office_id: 'does not exist in this workspace', team_id: 'does not exist in this workspace' },
  ],
])('a preview of %j returns %i and names the fields', async ([body, status, details]) => {
  const response = await agent.post('/leads/routing-preview', body)
  expect(response.status).toBe(status)
  const { error } = response.body as {
    error: { message: string; details: { path: string; message: string }[] }
  }
  expect(Object.fromEntries(error.details.map(({ path, message }) => [path, message]))).toEqual(details)
  for (const path of Object.keys(details)) expect(error.message).toContain(path)
})

test('without rules, the preview shows the default rule', async () => {
  const { status, body } = await agent.post('/leads/routing-preview', { source: 'Web' })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    decision_id: null,
    dry_run: true,
    rules_version: 0,
    matched_rule: { id: 'default' },
    considered: [],
    outcome: 'unassigned',
  })
})
