import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import type { ReadSigner } from '../../src/modules/documents/ports.ts'
import { createConnection } from '../../src/modules/senders/public.ts'
import {
  app,
  workspace,
  agent,
  connectionId,
  responds,
  secret,
  connectKey,
  advance,
  sam,
  create,
  read,
  atProvider,
  allSigned,
  events,
  namesOf,
  sent,
  contact,
  jobs,
  callBack,
  openScene,
} from './scene.ts'

openScene()

test('a document from a template is sent, viewed, and signed, with one event for each', async () => {
  const cleo = await contact('cleo@marsh.example')
  const id = await create({ signers: [{ contact_id: cleo, role: 'Buyer' }, sam] })
  expect(await read(id)).toMatchObject({
    status: 'draft',
    provider: 'documenso',
    sent_at: null,
    file_url: null,
  })
  await advance(id)
  expect(await read(id)).toMatchObject({
    status: 'sent',
    sent_at: app.clock.now().toISOString(),
    signers: [
      { contact_id: cleo, name: 'Cleo Marsh', email: 'cleo@marsh.example', role: 'Buyer', status: 'draft' },
      { contact_id: null, name: 'Sam Reyes', role: 'signer' },
    ],
  })
  await atProvider(id, ({ signers: [one, two] }) => ({
    status: 'viewed',
    signers: [{ ...orNotFound(one), status: 'viewed' }, orNotFound(two)],
  }))
  await advance(id)
  await advance(id)
  await atProvider(id, allSigned)
  await advance(id)
  await advance(id)
  const document = await read(id)
  expect(document).toMatchObject({ status: 'signed', signed_at: '2026-03-02T14:00:00.000Z' })
  expect(document['signers'].map(({ status }: ReadSigner) => status)).toEqual(['signed', 'signed'])
  const all = await events(id)
  expect(
    all.filter(({ name }) => name !== 'document.updated').map(({ name, data }) => [name, data['to']]),
  ).toEqual([
    ['document.created', undefined],
    ['document.status_changed', 'sent'],
    ['document.status_changed', 'viewed'],
    ['document.signed', undefined],
  ])
  expect(all.find(({ name }) => name === 'document.signed')).toMatchObject({
    timeline_id: cleo,
    data: { id, deal_id: null, contact_id: cleo, contact_ids: [cleo], title: 'Offer' },
  })
  const file = await fetch(document['file_url'])
  expect([file.status, await file.text()]).toEqual([200, responds.pdf])
  expect(file.headers.get('content-disposition')).toContain('filename="Offer.pdf"')
})

test('late, repeated, and out-of-order reports do not change a signed document', async () => {
  const id = await sent()
  await atProvider(id, allSigned)
  await advance(id)
  const before = await read(id)
  const known = await namesOf(id)
  for (const status of ['draft', 'sent', 'viewed', 'declined', 'voided', 'expired'] as const) {
    await asOwner(app.databaseUrl, 'update documents set file_stored_at = null where id = $1', [id])
    await atProvider(id, () => ({ status }))
    await advance(id)
    expect((await read(id))['status']).toBe('signed')
  }
  expect((await read(id))['signed_at']).toBe(before['signed_at'])
  expect((await namesOf(id)).filter((name) => name === 'document.signed')).toHaveLength(1)
  expect(known.filter((name) => name === 'document.signed')).toHaveLength(1)
})

test('sixteen concurrent reads publish document.signed once and store one file', async () => {
  const id = await sent()
  await atProvider(id, allSigned)
  await Promise.all(Array.from({ length: 16 }, () => advance(id)))
  expect((await namesOf(id)).filter((name) => name === 'document.signed')).toHaveLength(1)
  const { file_url } = await read(id)
  expect((await fetch(file_url)).status).toBe(200)
  const [{ count } = { count: 0 }] = await asOwner<{ count: number }>(
    app.databaseUrl,
    `select count(*)::integer as count from files f join documents d using (workspace_id)
     where d.id = $1 and f.id = d.file_id and f.stored_at is not null`,
    [id],
  )
  expect(count).toBe(1)
})

test('Documenso callbacks require the secret, ignore unknown documents, and queue one job', async () => {
  const id = await sent()
  const envelopeId = (await read(id))['provider_document_id']
  await asOwner(app.databaseUrl, `delete from graphile_worker._private_jobs where key like '%' || $1`, [id])
  const path = `documenso/${connectionId}`
  const signed = { 'x-documenso-secret': secret }
  const completed = { event: 'DOCUMENT_COMPLETED', payload: { envelopeId } }
  for (const [headers, at] of [
    [{}, path],
    [{ 'x-documenso-secret': '' }, path],
    [{ 'x-documenso-secret': `${secret}x` }, path],
    [{ 'x-documenso-secret': 'api_token' }, path],
    [signed, 'documenso/cmi8h2k5p0001zq8r4t6w9x3y'],
    [signed, 'documenso/nothing'],
    [signed, `docusign/${connectionId}`],
  ] as const) {
    const { status } = await callBack(at, completed, headers)
    expect([at, status]).toEqual([at, 401])
  }
  for (const body of [
    { event: 'DOCUMENT_COMPLETED', payload: { envelopeId: 'envelope_unknown' } },
    { event: 'DOCUMENT_COMPLETED', payload: { envelopeId: 7, externalId: {} } },
    {},
    'no JSON',
  ])
    expect((await callBack(path, body, signed)).status).toBe(200)
  expect(await jobs(id)).toBe(0)
  const all = await Promise.all(Array.from({ length: 16 }, () => callBack(path, completed, signed)))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await jobs(id)).toBe(1)
  expect((await read(id))['status']).toBe('sent')
})

test('DocuSign callbacks require one valid signature over the raw bytes', async () => {
  const { id: docusign } = await createConnection(workspace.ctx, {
    provider: 'docusign',
    name: 'DocuSign',
    account: '5f2d1b0c',
    secret: `${connectKey} integration user key`,
  })
  const id = idOf(
    await agent.post('/documents', { connection_id: docusign, provider_document_id: 'envelope-1' }),
  )
  await asOwner(app.databaseUrl, `delete from graphile_worker._private_jobs where key like '%' || $1`, [id])
  const body = '{ "event": "envelope-completed",  "data": {"envelopeId":"envelope-1"} }'
  const signature = createHmac('sha256', connectKey).update(body).digest('base64')
  const other = createHmac('sha256', 'another key').update(body).digest('base64')
  for (const [headers, status] of [
    [{}, 401],
    [{ 'x-docusign-signature-1': other }, 401],
    [{ 'x-docusign-signature': signature }, 401],
    [{ 'x-docusign-signature-1': Buffer.from(signature, 'base64').toString('hex') }, 401],
    [{ 'x-docusign-signature-1': signature }, 200],
    [{ 'x-docusign-signature-1': other, 'x-docusign-signature-2': signature }, 200],
    [{ 'x-docusign-signature-17': signature }, 200],
  ] as const)
    expect([headers, (await callBack(`docusign/${docusign}`, body, headers)).status]).toEqual([
      headers,
      status,
    ])
  const compact = JSON.stringify(JSON.parse(body))
  const signed = { 'x-docusign-signature-1': signature }
  expect((await callBack(`docusign/${docusign}`, compact, signed)).status).toBe(401)
  expect(await jobs(id)).toBe(1)
})

test('a signer is not linked to a contact that gave up the email address', async () => {
  const cleo = await contact('cleo@given-up.example')
  await agent.patch(`/contacts/${cleo}`, { email: 'cleo@new.example' })
  const signers = [
    { name: 'Cleo Marsh', email: 'cleo@new.example' },
    { name: 'Her sister', email: 'cleo@given-up.example' },
  ]
  const id = await create({ signers })
  await advance(id)
  expect((await read(id))['signers'].map((one: { contact_id: string | null }) => one.contact_id)).toEqual([
    cleo,
    null,
  ])
})
