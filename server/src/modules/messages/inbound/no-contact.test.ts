import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { type Texting, startTexting } from '#test/support/texting.ts'

const person = '+13125550177'

let app: TestApp
let texting: Texting

beforeAll(async () => {
  app = await testApp({ now: '2026-03-02T18:00:00.000Z', publicUrl: 'https://gable.example.com' })
  texting = await startTexting(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const suppressions = async () =>
  asOwner<{ kind: string; channels: string[]; source: string; lifted: boolean }>(
    app.databaseUrl,
    `select kind, channels, source, lifted_at is not null as lifted from suppressions
     where workspace_id = $1 order by kind desc`,
    [texting.workspace.id],
  )

test('a request for no contact adds an internal do-not-call entry, which START does not lift', async () => {
  await texting.text(person, 'STOP')
  app.clock.advance(1000)
  await texting.text(person, 'Please don’t contact me again')
  const channels = ['sms', 'voice_auto', 'whatsapp']
  expect(await suppressions()).toMatchObject([
    { kind: 'opted_out', channels, lifted: false },
    { kind: 'internal_dnc', channels, source: 'inbound', lifted: false },
  ])
  app.clock.advance(1000)
  await texting.text(person, 'START')
  expect(await suppressions()).toMatchObject([
    { kind: 'opted_out', lifted: true },
    { kind: 'internal_dnc', lifted: false },
  ])
  const draft = { channel: 'sms', to: person, body: 'Hello', purpose: 'reply' }
  const { body } = await texting.agent.post('/messages', draft)
  expect(body['error'].reasons).toContain('suppressed_internal_dnc')
})
