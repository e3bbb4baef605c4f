import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { eventually } from '#test/support/eventually.ts'
import { idOf } from '#test/support/fixtures.ts'
import { processDocument } from '../../src/modules/documents/process-document.ts'
import { restoreSimulatedDocuments } from '../../src/modules/documents/public.ts'

let carrier: SimulatedCarrier
let app: TestApp
let workspace: TestWorkspace
let agent: Client

const start = (port = 0) =>
  startCarrier({ host: '127.0.0.1', port, now: systemClock.now, phoneSecret: 'handsets', deliveryMs: 1 })

beforeAll(async () => {
  carrier = await start()
  app = await testApp({
    role: 'all',
    databaseUrl: await freshDatabase('documenso'),
    simulatedCarrierUrl: carrier.origin,
  })
  workspace = await app.workspace()
  agent = await workspace.credential()
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await carrier[Symbol.asyncDispose]()
})

const offer = {
  template_id: 'envelope_offertopurchase',
  title: 'Offer, 12 Elm Street',
  signers: [
    { name: 'Bo Lind', email: 'bo@lind.example', role: 'seller' },
    { name: 'Ada Reyes', email: 'ada@reyes.example' },
  ],
}

const until = (id: string, status: string) =>
  eventually(async () => {
    const { body } = await agent.get(`/documents/${id}`)
    return body['status'] === status && body
  })

/** The signing page that the email on a person's handset links to. */
async function pageOf(email: string, title: string): Promise<string> {
  const page = await fetch(`${carrier.phoneUrl}/${encodeURIComponent(email)}/messages`)
  const text = await page.text()
  const at = text.indexOf(`Please sign: ${title}`)
  return /http:\/\/[^"]+\/sign\/[\w-]+/.exec(text.slice(at))?.[0] ?? `no email to ${email}`
}

const press = (url: string, action: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ action }), redirect: 'manual' })

test('a document is signed once each signer has signed on their page, and has its file', async () => {
  const id = idOf(await agent.post('/documents', offer))
  const sent = await until(id, 'sent')
  // Assigned by role, and then in order.
  expect(sent['signers'].map(({ name, role }: Record<string, string>) => [name, role])).toEqual([
    ['Ada Reyes', 'signer'],
    ['Bo Lind', 'seller'],
  ])
  const ada = await pageOf('ada@reyes.example', offer.title)
  expect(await (await fetch(ada)).text()).toContain('<button name="action" value="sign">Sign</button>')
  await until(id, 'viewed')
  expect((await press(ada, 'sign')).status).toBe(303)
  expect(await (await fetch(ada)).text()).toContain('You have signed this document.')
  await press(await pageOf('bo@lind.example', offer.title), 'sign')
  await until(id, 'signed')
  const { file_url } = await eventually(async () => {
    const { body } = await agent.get(`/documents/${id}`)
    return body['file_url'] !== null && body
  })
  const pdf = await (await fetch(file_url)).text()
  expect(pdf).toContain('(Offer, 12 Elm Street)')
  expect(pdf).toContain('Signed by Ada Reyes')
  const published = await asOwner(
    app.databaseUrl,
    `select 1 from events where workspace_id = $1 and name = 'document.signed'`,
    [workspace.id],
  )
  expect(published).toHaveLength(1)
})

test('a signer can decline, and a voided document can no longer be signed', async () => {
  const declined = idOf(await agent.post('/documents', { ...offer, title: 'Declined' }))
  await until(declined, 'sent')
  await press(await pageOf('bo@lind.example', 'Declined'), 'reject')
  await until(declined, 'declined')

  const voided = idOf(await agent.post('/documents', { ...offer, title: 'Voided' }))
  await until(voided, 'sent')
  const page = await pageOf('ada@reyes.example', 'Voided')
  await agent.post(`/documents/${voided}/void`, { reason: 'New terms.' })
  await until(voided, 'voided')
  expect(await (await fetch(page)).text()).toContain('can no longer be signed')
})

test.for([
  ['a template that is not there', { template_id: 'envelope_nothing' }, 'template_not_found', 'no such'],
  ['too few signers', { signers: offer.signers.slice(1) }, 'signers_mismatch', '2 recipients: Buyer, Seller'],
  [
    'a role that the template does not have',
    { signers: offer.signers.map((signer) => ({ ...signer, role: 'Lender' })) },
    'signers_mismatch',
    'no unused recipient "Lender"',
  ],
] as const)('%s is reported on the document', async ([, change, code, message]) => {
  const id = idOf(await agent.post('/documents', { ...offer, ...change }))
  const { error } = await eventually(async () => {
    const { body } = await agent.get(`/documents/${id}`)
    return body['error'] !== null && body
  })
  expect(error).toMatchObject({ code, message: expect.stringContaining(message) })
})

test('a document signed before a restart of the simulated provider still gets its file', async () => {
  const id = idOf(await agent.post('/documents', { ...offer, title: 'Signed' }))
  await until(id, 'sent')
  for (const email of ['ada@reyes.example', 'bo@lind.example'])
    await press(await pageOf(email, 'Signed'), 'sign')
  await until(id, 'signed')
  await eventually(async () => (await agent.get(`/documents/${id}`)).body['file_url'] !== null)
  // As if the server had stopped before it fetched the file.
  await asOwner(app.databaseUrl, 'update documents set file_id = null, file_stored_at = null where id = $1', [
    id,
  ])
  const { port } = new URL(carrier.origin)
  await carrier[Symbol.asyncDispose]()
  carrier = await start(Number(port))
  await processDocument(workspace.ctx, { signing: app.signing, files: app.files }, id)
  expect((await agent.get(`/documents/${id}`)).body['file_url']).not.toBeNull()
})

test('a document that awaits signatures survives a restart of the simulated provider', async () => {
  const id = idOf(await agent.post('/documents', { ...offer, title: 'Afterwards' }))
  await until(id, 'sent')
  const { port } = new URL(carrier.origin)
  await carrier[Symbol.asyncDispose]()
  carrier = await start(Number(port))
  await restoreSimulatedDocuments(app.runtime, app.signing)
  for (const email of ['ada@reyes.example', 'bo@lind.example'])
    await press(await pageOf(email, 'Afterwards'), 'sign')
  expect(await until(id, 'signed')).toMatchObject({ status: 'signed' })
})
