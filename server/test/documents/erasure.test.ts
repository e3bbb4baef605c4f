import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import type { Fault, SignatureProvider } from '../../src/modules/documents/ports.ts'
import { processDocument } from '../../src/modules/documents/process-document.ts'
import {
  app,
  workspace,
  agent,
  has,
  asked,
  responds,
  provider,
  advance,
  sam,
  create,
  read,
  atProvider,
  allSigned,
  sent,
  contact,
  jobs,
  looksAt,
  namesOf,
  openScene,
} from './scene.ts'

openScene()

let contacts = 0
const signing = async () => {
  const contact_id = await contact(`signer${++contacts}@marsh.example`)
  return { contact_id, signers: [{ contact_id }, sam] }
}
const atProviderOf = async (id: string) => orNotFound((await read(id))['provider_document_id']) as string

test('an erasure removes the document at the provider, voids it if open, and keeps a final status', async () => {
  for (const [change, status] of [
    [() => ({}), 'voided'],
    [allSigned, 'signed'],
    [() => ({ status: 'declined' as const }), 'declined'],
  ] as const) {
    const { contact_id, signers } = await signing()
    const id = await sent({ signers })
    const known = await atProviderOf(id)
    await atProvider(id, change)
    await agent.delete(`/contacts/${contact_id}`)
    expect(await jobs(id)).toBe(1)
    await advance(id)
    expect([has.has(known), (await read(id))['status'], await looksAt(id)]).toEqual([false, status, null])
    // A callback about the removal.
    await advance(id)
    expect((await read(id))['status']).toBe(status)
  }
})

test('a failed deletion is retried until the provider has removed the document, whatever the fault', async () => {
  const { contact_id, signers } = await signing()
  const id = await sent({ signers })
  await agent.delete(`/contacts/${contact_id}`)
  const known = await atProviderOf(id)
  const codes: Fault['fault'][] = ['provider_unavailable', 'credentials_rejected', 'rejected']
  for (const fault of codes) {
    responds.fault = { fault, message: 'Not now.' }
    await advance(id).catch(() => undefined)
    expect([has.has(known), (await read(id))['error'].code]).toEqual([true, fault])
    expect(await looksAt(id)).not.toBeNull()
  }
  responds.fault = undefined
  await advance(id)
  expect([has.has(known), await looksAt(id)]).toEqual([false, null])
  expect(await read(id)).toMatchObject({ status: 'voided', error: null })
})

test('repeated failed deletions publish no further events', async () => {
  const { contact_id, signers } = await signing()
  const id = await sent({ signers })
  await atProvider(id, allSigned)
  await advance(id)
  await agent.delete(`/contacts/${contact_id}`)
  const documenso: SignatureProvider = {
    ...provider(orNotFound(app.signing.documenso)),
    discard: async () => ({ fault: 'rejected', message: 'Not allowed.' }),
  }
  const tries = () => processDocument(workspace.ctx, { signing: { documenso }, files: app.files }, id)
  await tries()
  const known = (await namesOf(id)).length
  await tries()
  expect((await namesOf(id)).length).toBe(known)
})

test('an erasure keeps the document of another contact with the same email address', async () => {
  const [erased, other] = [await contact('both@marsh.example'), await contact('both@marsh.example')]
  const id = await sent({ title: 'Offer', signers: [{ contact_id: other }, sam] })
  await agent.delete(`/contacts/${erased}`)
  expect(await read(id)).toMatchObject({
    title: 'Offer',
    erased_at: null,
    signers: [{ contact_id: other, name: 'Cleo Marsh', email: 'both@marsh.example' }, {}],
  })
})

/** A document that the provider has and has sent to no one yet. */
async function prepared(signers: object[]): Promise<string> {
  const id = await create({ signers })
  const documenso: SignatureProvider = {
    ...provider(orNotFound(app.signing.documenso)),
    send: async () => ({ fault: 'rejected', message: 'Not now.' }),
  }
  await processDocument(workspace.ctx, { signing: { documenso }, files: app.files }, id)
  return id
}

test('a prepared document is not sent after an erasure or a request to void it', async () => {
  const { contact_id, signers } = await signing()
  const [erased, voided] = [await prepared(signers), await prepared([sam])]
  await agent.delete(`/contacts/${contact_id}`)
  await agent.post(`/documents/${voided}/void`, {})
  for (const id of [erased, voided]) {
    asked.length = 0
    await advance(id)
    expect(asked).not.toContain('send')
    expect([(await read(id))['status'], has.has(await atProviderOf(id))]).toEqual(['voided', false])
  }
})

test('a voided document is not polled again', async () => {
  const id = await create()
  await agent.post(`/documents/${id}/void`, {})
  await advance(id)
  expect(await looksAt(id)).toBeNull()
})
