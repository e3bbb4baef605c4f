import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { idOf } from '#test/support/fixtures.ts'
import type { SignatureProvider } from '../../src/modules/documents/ports.ts'
import { processDocument } from '../../src/modules/documents/process-document.ts'
import {
  app,
  workspace,
  agent,
  connectionId,
  has,
  asked,
  responds,
  provider,
  signer,
  advance,
  ada,
  sam,
  create,
  read,
  atProvider,
  allSigned,
  events,
  sent,
  contact,
  openScene,
} from './scene.ts'

openScene()

test('a document is attached by its id, and its signers are matched to contacts by email', async () => {
  const cleo = await contact('cleo.attached@marsh.example')
  has.set('made-there', {
    title: 'Made there',
    status: 'viewed',
    signers: [signer(1, 'Cleo', 'Cleo.Attached@marsh.example', 'viewed'), signer(2, 'Bo', 'bo@lind.example')],
    sentAt: '2026-03-01T12:00:00.000Z',
    completedAt: null,
  })
  const id = idOf(await agent.post('/documents', { provider_document_id: 'made-there' }))
  const again = await agent.post('/documents', { provider_document_id: 'made-there' })
  expect([again.status, again.body['error'].code]).toEqual([409, 'document_attached'])
  await advance(id)
  expect(await read(id)).toMatchObject({
    title: 'Made there',
    status: 'viewed',
    sent_at: '2026-03-01T12:00:00.000Z',
    signers: [{ contact_id: cleo, status: 'viewed' }, { contact_id: null }],
  })
  const { data } = (await agent.get(`/documents?contact_id=${cleo}`)).body
  expect(data.map((one: { id: string }) => one.id)).toEqual([id])
})

test.each(['an agent who cannot see them', 'a credential that sees only masks'] as const)(
  'a signer’s address does not reveal to %s whose it is, but belongs to the contact who holds it',
  async (who) => {
    const isAgent = who.startsWith('an agent')
    const [{ id: bo }, { id: ada_ }] = [await workspace.member(), await workspace.member()]
    const email = `held.${bo}@marsh.example`
    const client = await contact(email)
    await agent.patch(`/contacts/${client}`, { owner_id: ada_ })
    const author = isAgent
      ? await workspace.keyFor(bo)
      : await workspace.credential('deals:read', 'deals:write', 'events:read')
    if (isAgent) await author.post('/contacts', { first_name: 'Double', email })
    const id = idOf(
      await author.post('/documents', {
        template_id: 'envelope_a',
        signers: [{ name: 'Cleo', email, role: 'Buyer' }],
      }),
    )
    await advance(id)
    await advance(id)
    expect((await read(id))['signers']).toMatchObject([{ contact_id: client }])
    expect((await author.get(`/documents/${id}`)).body['signers']).toMatchObject([{ contact_id: null }])
    expect(JSON.stringify((await author.get('/events')).body)).not.toContain(client)
    const { data } = (await agent.get(`/contacts/${client}/events`)).body
    expect(JSON.stringify(data)).toContain('document')
  },
)

test('a document does not repeat what a contact wrote as their name', async () => {
  const ids = [await contact('cleo.one@marsh.example'), await contact('cleo.two@marsh.example')]
  const trick = 'claim your $500 at https://evil.example'
  await agent.patch(`/contacts/${ids[0]}`, { first_name: trick })
  await agent.patch(`/contacts/${ids[1]}`, { first_name: trick, last_name: trick })
  const id = await sent({ signers: ids.map((contact_id) => ({ contact_id })) })
  const { provider_document_id, signers } = await read(id)
  const atTheProvider = has.get(provider_document_id)
  expect(atTheProvider?.signers.map(({ name }) => name)).toEqual(['Marsh', 'cleo.two@marsh.example'])
  expect(JSON.stringify([atTheProvider, signers])).not.toMatch(/evil|\$500/)
})

test('a document unknown to the provider is an error, and one deleted there is voided', async () => {
  const unknown = idOf(await agent.post('/documents', { provider_document_id: 'nowhere' }))
  await advance(unknown)
  expect(await read(unknown)).toMatchObject({ status: 'draft', error: { code: 'document_not_found' } })
  const id = await sent()
  has.delete((await read(id))['provider_document_id'])
  await advance(id)
  expect(await read(id)).toMatchObject({ status: 'voided', error: null })
})

test('a provider error is shown on the document, and an unavailable provider is retried', async () => {
  const id = await create()
  responds.fault = { fault: 'provider_unavailable', message: 'Documenso: status 503.' }
  await expect(advance(id)).rejects.toThrow('status 503')
  expect(await read(id)).toMatchObject({ status: 'draft', error: { code: 'provider_unavailable' } })
  responds.fault = { fault: 'signers_mismatch', message: 'The template has 3 recipients.' }
  await advance(id)
  expect(await read(id)).toMatchObject({
    error: { code: 'signers_mismatch', message: 'The template has 3 recipients.' },
  })
  responds.fault = { fault: 'credentials_rejected', message: 'Documenso rejects the API token.' }
  await advance(id)
  const rejected = (await agent.get(`/connections/${connectionId}`)).body
  expect(rejected['credentials_rejected_at']).not.toBeNull()
  responds.fault = undefined
  await advance(id)
  expect(await read(id)).toMatchObject({ status: 'sent', error: null })
  expect((await agent.get(`/connections/${connectionId}`)).body['credentials_rejected_at']).toBeNull()
})

test('a file that is not a PDF is not stored', async () => {
  const id = await sent()
  await atProvider(id, allSigned)
  responds.pdf = '<html>Sign in</html>'
  await advance(id)
  responds.pdf = '%PDF-1.4 signed'
  expect(await read(id)).toMatchObject({ status: 'signed', file_url: null, error: { code: 'file_rejected' } })
})

test('voiding is immediate for a draft, goes through the provider once sent, and fails once signed', async () => {
  const draft = await create()
  const voided = await agent.post(`/documents/${draft}/void`, {})
  expect([voided.status, voided.body['status']]).toEqual([200, 'voided'])
  asked.length = 0
  await advance(draft)
  expect(asked).toEqual([])

  const id = await sent()
  const requested = await agent.post(`/documents/${id}/void`, { reason: 'New terms.' })
  expect(requested.body).toMatchObject({ status: 'sent', void_requested_at: app.clock.now().toISOString() })
  await advance(id)
  expect(await read(id)).toMatchObject({ status: 'voided' })
  expect((await agent.post(`/documents/${id}/void`, {})).body['status']).toBe('voided')

  const late = await sent()
  await atProvider(late, allSigned)
  await agent.post(`/documents/${late}/void`, {})
  await advance(late)
  expect(await read(late)).toMatchObject({ status: 'signed' })
  const closed = await agent.post(`/documents/${late}/void`, {})
  expect([closed.status, closed.body['error'].code]).toEqual([409, 'document_closed'])
})

test('a document voided while it is prepared is discarded at the provider and not sent', async () => {
  const id = await create()
  const real = provider(orNotFound(app.signing.documenso))
  const documenso: SignatureProvider = {
    ...real,
    async prepare(account, draft) {
      const prepared = await orNotFound(real.prepare)(account, draft)
      await agent.post(`/documents/${id}/void`, {})
      return prepared
    },
  }
  asked.length = 0
  await processDocument(workspace.ctx, { signing: { documenso }, files: app.files }, id)
  expect(asked).toEqual(['prepare', 'discard'])
  expect(await read(id)).toMatchObject({ status: 'voided', provider_document_id: null })
})

test.for<[what: string, body: object, path: string]>([
  ['neither a template nor a document', { template_id: undefined }, 'template_id'],
  ['both', { provider_document_id: 'x' }, 'provider_document_id'],
  ['an empty template', { template_id: '' }, 'template_id'],
  ['a template without signers', { signers: [] }, 'signers'],
  ['a signer without an address', { signers: [ada, { name: 'Bo' }] }, 'signers.1'],
  ['a signer twice over', { signers: [{ ...ada, contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y' }] }, 'signers.0'],
])('a document with %s returns 400', async ([, body, path]) => {
  const { status, body: rejection } = await agent.post('/documents', {
    template_id: 'offer',
    signers: [ada],
    ...body,
  })
  expect([status, rejection['error'].details[0].path]).toEqual([400, path])
})

test('rejects signers without an email address, erased ones, and those of another workspace', async () => {
  const silent = idOf(await agent.post('/contacts', { first_name: 'Silent' }))
  const erased = await contact('erased@marsh.example')
  await agent.delete(`/contacts/${erased}`)
  const outsider = idOf(await (await app.credential()).post('/contacts', { email: 'x@y.example' }))
  const signing = async (id: string) => {
    const { status, body } = await agent.post('/documents', {
      template_id: 'offer',
      signers: [ada, { contact_id: id }],
    })
    return [status, body['error'].code, body['error'].details?.[0]?.path]
  }
  expect(await signing(silent)).toEqual([400, 'validation_failed', 'signers.1.contact_id'])
  expect(await signing(erased)).toEqual([409, 'contact_erased', undefined])
  expect(await signing(outsider)).toEqual([404, 'not_found', 'signers.1.contact_id'])
})

test('names and addresses of signers are masked without contacts:read:pii', async () => {
  const id = await sent({ title: 'Offer of ada@reyes.example' })
  const shown = JSON.stringify(await read(id, await workspace.credential('deals:read')))
  expect(shown).not.toMatch(/ada@reyes|sam@reyes/)
  expect(shown).toContain('***@')
  const rejected = await create({ signers: [{ ...ada, role: ada.email }] })
  responds.fault = {
    fault: 'signers_mismatch',
    message: `The template has no unused recipient "${ada.email}".`,
  }
  await advance(rejected)
  responds.fault = undefined
  const { error } = await read(rejected, await workspace.credential('deals:read'))
  expect(error.message).toMatch(/no unused recipient "[^"]*\*@reyes\.example"/)
})

test('a document is attached only once, even if the existing one is out of reach', async () => {
  const [one, other] = [await workspace.member('Ana'), await workspace.member('Ben')]
  const [mine, foreign] = [await workspace.keyFor(one.id), await workspace.keyFor(other.id)]
  const id = idOf(await mine.post('/documents', { provider_document_id: 'once' }))
  for (const [client, names] of [
    [mine, true],
    [foreign, false],
  ] as const) {
    const again = await client.post('/documents', { provider_document_id: 'once' })
    const { code, message } = again.body['error']
    expect([again.status, code, message.includes(id)]).toEqual([409, 'document_attached', names])
  }
})

test('the list filters by contact id, and not by email address', async () => {
  const cleo = await contact('cleo.listed@marsh.example')
  const id = await sent({ signers: [{ contact_id: cleo }, { ...sam, email: 'sam.listed@reyes.example' }] })
  const listed = async (person: string) =>
    (await agent.get(`/documents?contact_id=${person}`)).body['data'].map((one: { id: string }) => one.id)
  expect(await listed(cleo)).toEqual([id])
  for (const address of ['cleo.listed@marsh.example', 'sam.listed@reyes.example'])
    expect(await listed(address)).toEqual([])
})

test('an erasure removes the title, the signer, and the file', async () => {
  const cleo = await contact('cleo.erased@marsh.example')
  const id = await sent({ title: 'Offer of Cleo', signers: [{ contact_id: cleo }, sam] })
  await atProvider(id, allSigned)
  await advance(id)
  const { file_url } = await read(id)
  expect((await fetch(file_url)).status).toBe(200)
  await agent.delete(`/contacts/${cleo}`)
  expect((await fetch(file_url)).status).toBe(404)
  const erased = await read(id)
  expect(erased).toMatchObject({
    title: null,
    status: 'signed',
    file_url: null,
    signers: [
      { contact_id: cleo, name: null, email: null, status: 'signed' },
      { name: 'Sam Reyes', email: 'sam@reyes.example' },
    ],
  })
  expect(JSON.stringify(await events(id))).not.toMatch(/Cleo|marsh/)
  const patched = await agent.patch(`/documents/${id}`, { title: 'Again' })
  expect([patched.status, patched.body['error'].code]).toEqual([409, 'document_erased'])
})

test('after an erasure, a signed file is not stored, and a draft is voided', async () => {
  const cleo = await contact('cleo.between@marsh.example')
  const id = await sent({ signers: [{ contact_id: cleo }, sam] })
  await agent.delete(`/contacts/${cleo}`)
  await atProvider(id, allSigned)
  asked.length = 0
  await advance(id)
  expect(asked).not.toContain('file')
  expect(await read(id)).toMatchObject({ status: 'signed', title: null, signers: [{ name: null }, {}] })

  const draft = await create({ signers: [{ contact_id: await contact('draft@marsh.example') }] })
  const [{ contact_id }] = (await read(draft))['signers']
  await agent.delete(`/contacts/${contact_id}`)
  expect(await read(draft)).toMatchObject({ status: 'voided' })
})

test('agents see only their own documents and cannot name a deal or owner out of reach', async () => {
  const [one, other] = [await workspace.member('One'), await workspace.member('Other')]
  const [mine, foreign] = [await workspace.keyFor(one.id), await workspace.keyFor(other.id)]
  const id = idOf(await mine.post('/documents', { template_id: 'offer', signers: [ada] }))
  expect((await read(id))['owner_id']).toBe(one.id)
  expect((await foreign.get(`/documents/${id}`)).status).toBe(404)
  expect((await foreign.get('/documents')).body['data']).toEqual([])
  const deal = idOf(await foreign.post('/deals', { name: 'Theirs' }))
  const named = await mine.post('/documents', { template_id: 'offer', signers: [ada], deal_id: deal })
  expect([named.status, named.body['error'].details[0].path]).toEqual([404, 'deal_id'])
  const given = await mine.patch(`/documents/${id}`, { owner_id: other.id })
  expect([given.status, given.body['error'].details[0].path]).toEqual([404, 'owner_id'])
  const ofDeal = idOf(await agent.post('/documents', { template_id: 'offer', signers: [ada], deal_id: deal }))
  expect((await read(ofDeal))['owner_id']).toBe(other.id)
})
