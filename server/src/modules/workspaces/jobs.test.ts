import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { sweepIdempotencyReplies } from './jobs.ts'

test('idempotent responses are deleted after exactly one day, in every workspace', async () => {
  await using app = await testApp()
  const agents = [await app.credential(), await app.credential()]
  const kept = () =>
    asOwner(app.databaseUrl, 'select 1 from idempotency_replies where credential_id = any ($1)', [
      agents.map((agent) => agent.keyId),
    ])
  for (const agent of agents) await agent.post('/contacts', {}, { 'idempotency-key': 'k' })
  app.clock.advance(24 * 60 * 60 * 1000 - 1)
  await sweepIdempotencyReplies.handle(app.runtime)
  expect(await kept()).toHaveLength(2)
  app.clock.advance(1)
  await sweepIdempotencyReplies.handle(app.runtime)
  expect(await kept()).toHaveLength(0)
})
