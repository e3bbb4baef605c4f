import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import { systemClock } from '@gable/server/src/kernel/clock.ts'
import { documentStatuses } from '@gable/server/src/modules/documents/statuses.ts'
import { listConnections } from '@gable/server/src/modules/senders/public.ts'
import { type TestApp, appSecret, testApp } from '@gable/server/test/support/app.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { eventually } from '@gable/server/test/support/eventually.ts'
import { idOf } from '@gable/server/test/support/fixtures.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GuidePage, guidePage, like } from '../support/guide-page.ts'

type Json = Record<string, unknown>

// One of the blocks is a process.
vi.setConfig({ testTimeout: 180_000 })

const opened = new AsyncDisposableStack()
let page: GuidePage
let app: TestApp
let workspace: Awaited<ReturnType<TestApp['workspace']>>
let carrier: SimulatedCarrier
let variables: Record<string, string>

beforeAll(async () => {
  page = opened.use(await guidePage('documents', { commands: true }))
  carrier = opened.use(
    await startCarrier({ host: '127.0.0.1', port: 0, now: systemClock.now, deliveryMs: 1 }),
  )
  app = opened.use(
    await testApp({
      databaseUrl: await freshDatabase('documents_guide'),
      role: 'all',
      simulatedCarrierUrl: carrier.origin,
    }),
  )
  workspace = await app.workspace()
  const agent = await workspace.credential()
  const ada = { first_name: 'Ada', last_name: 'Reyes', email: 'ada@reyes.example' }
  const { key = '' } = await workspace.credential('deals:read', 'deals:write', 'contacts:read:pii')
  await writeFile(join(page.folder, 'secret.txt'), 'the-token the-webhook-secret\n')
  variables = {
    API: app.base,
    KEY: key,
    CONTACT: idOf(await agent.post('/contacts', ada)),
    WORKSPACE: workspace.id,
    DATABASE_URL: app.databaseUrl,
    APP_SECRET: appSecret,
  }
})
afterAll(() => opened.disposeAsync())

const curl = async (part: string) => JSON.parse(await page.curl(part, variables)) as Json
const until = (isSo: (document: Json) => boolean) =>
  eventually(async () => {
    const document = await curl('$API/documents/$ID -H')
    return isSo(document) && document
  })

test('the guide works from the template to the signed PDF, and connects an external account', async () => {
  const sent = await curl('agreement-4711')
  expect(sent).toEqual(like(page.shown('"Buyer representation, Reyes"')))
  expect((await curl('agreement-4711'))['id']).toBe(sent['id'])
  variables['ID'] = String(sent['id'])
  await until(({ status }) => status === 'sent')
  const handset = await (await fetch(`${carrier.phoneUrl}/ada%40reyes.example/messages`)).text()
  const signing = /http:\/\/[^"]+\/sign\/[\w-]+/.exec(handset)?.[0] ?? ''
  await fetch(signing, { method: 'POST', body: new URLSearchParams({ action: 'sign' }), redirect: 'manual' })
  const signed = await until(({ file_url }) => file_url !== null)
  expect(signed).toMatchObject({ status: 'signed' })
  variables['FILE_URL'] = String(signed['file_url'])
  await page.curl('signed.pdf', variables)
  expect(await readFile(join(page.folder, 'signed.pdf'), 'latin1')).toMatch(/^%PDF-/)
  expect(await curl('/void')).toMatchObject({ error: { code: 'document_closed' } })

  expect(await curl('"provider_document_id"')).toEqual(like(page.shown('envelope_kzvdqxdbhcmdzqsa')))
  expect(await curl('"provider_document_id"')).toMatchObject({ error: { code: 'document_attached' } })

  await page.curl('connections create', variables)
  const [connection] = await listConnections(workspace.ctx.directory, workspace.id)
  variables['CONNECTION'] = connection?.id ?? ''
  expect(await page.curl('connections configure', variables)).toContain('https://sign.example.com')
  expect(page.notRun()).toEqual([])
  expect(connection).toMatchObject({ provider: 'documenso', account: 'Lantern & Oak', simulated: false })
})

test('an open document accepts the void request in the guide', async () => {
  const agent = await (await app.workspace()).credential()
  const signers = [{ name: 'Sam Reyes', email: 'sam@reyes.example' }]
  const id = idOf(await agent.post('/documents', { template_id: 'envelope_listingagreemen', signers }))
  // A document that the provider does not have yet is voided at once.
  await eventually(async () => (await agent.get(`/documents/${id}`)).body['provider_document_id'] !== null)
  const { key = '' } = agent
  const void_ = await page.curl('/void', { ...variables, KEY: key, ID: id })
  expect(JSON.parse(void_)).toMatchObject({ id, void_requested_at: expect.any(String) })
})

test('the table in the guide has every status', () => {
  const named = [...page.prose.matchAll(/\| `(\w+)` \|/g)].map(([, name]) => name)
  expect(named).toEqual([...documentStatuses])
})
