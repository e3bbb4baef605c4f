import { afterAll, beforeAll } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import type {
  Fault,
  NewDocument,
  ReadDocument,
  ReadSigner,
  SignatureProvider,
} from '../../src/modules/documents/ports.ts'
import { processDocument } from '../../src/modules/documents/process-document.ts'
import { createConnection } from '../../src/modules/senders/public.ts'

export let app: TestApp
export let workspace: TestWorkspace
export let agent: Client
export let connectionId: string

/** What the provider has, by its id; what it was asked; and what it responds instead. */
export const has = new Map<string, ReadDocument>()
export const asked: string[] = []
export const responds: { fault: Fault | undefined; pdf: string } = {
  fault: undefined,
  pdf: '%PDF-1.4 signed',
}

export const provider = (real: SignatureProvider): SignatureProvider => ({
  async prepare(_, { documentId, title, signers }: NewDocument) {
    asked.push('prepare')
    if (responds.fault !== undefined) return responds.fault
    const id = `at-provider-${documentId}`
    has.set(id, {
      title: title ?? 'Offer',
      status: 'draft',
      signers: signers.map(({ name, email }, i) => signer(i, name, email)),
      sentAt: null,
      completedAt: null,
    })
    return { providerDocumentId: id }
  },
  async send(_, id) {
    asked.push('send')
    const document = orNotFound(has.get(id))
    if (document.status === 'draft') has.set(id, { ...document, status: 'sent' })
    return responds.fault
  },
  async discard(_, id) {
    asked.push('discard')
    if (responds.fault !== undefined) return responds.fault
    has.delete(id)
    return undefined
  },
  async read(_, id) {
    asked.push('read')
    return (
      responds.fault ?? has.get(id) ?? { fault: 'document_not_found', message: 'There is no such document.' }
    )
  },
  async void(_, id) {
    asked.push('void')
    const document = orNotFound(has.get(id))
    if (document.status === 'signed') return { fault: 'rejected', message: 'It is complete.' }
    if (document.status === 'draft') return { fault: 'rejected', message: 'It was never sent.' }
    has.set(id, { ...document, status: 'voided' })
    return undefined
  },
  async openFile() {
    asked.push('file')
    return (async function* () {
      for (const byte of responds.pdf) yield Buffer.from(byte)
    })()
  },
  readCallback: real.readCallback,
})

export const signer = (
  i: number,
  name: string,
  email: string,
  status: ReadSigner['status'] = 'draft',
): ReadSigner => ({
  providerSignerId: String(i),
  name,
  email,
  role: 'signer',
  status,
  signedAt: status === 'signed' ? '2026-03-02T14:00:00.000Z' : null,
})

export const secret = 'the webhook secret'.replaceAll(' ', '-')
export const connectKey = 'a+key/of=Connect'

/** Opens the scene for the tests of a file. */
export function openScene(): void {
  beforeAll(async () => {
    app = await testApp()
    workspace = await app.workspace()
    agent = await workspace.credential()
    connectionId = (
      await createConnection(workspace.ctx, {
        provider: 'documenso',
        name: 'Documenso',
        account: 'Team',
        secret: `api_token ${secret}`,
      })
    ).id
  })
  afterAll(() => app[Symbol.asyncDispose]())
}

export const advance = (id: string) => {
  const documenso = provider(orNotFound(app.signing.documenso))
  const signing = { documenso, docusign: documenso }
  return processDocument(workspace.ctx, { signing, files: app.files }, id)
}

export const ada = { name: 'Ada Reyes', email: 'ada@reyes.example' }
export const sam = { name: 'Sam Reyes', email: 'sam@reyes.example' }

export const create = async (body: object = {}) =>
  idOf(await agent.post('/documents', { template_id: 'offer', title: 'Offer', signers: [ada, sam], ...body }))

export const read = async (id: string, client = agent) => (await client.get(`/documents/${id}`)).body

/** Changes what the provider has of a document. */
export async function atProvider(id: string, change: (document: ReadDocument) => Partial<ReadDocument>) {
  const known = orNotFound((await read(id))['provider_document_id']) as string
  const document = orNotFound(has.get(known))
  has.set(known, { ...document, ...change(document) })
}

export const allSigned = ({ signers }: ReadDocument) => ({
  status: 'signed' as const,
  completedAt: '2026-03-02T14:00:00.000Z',
  signers: signers.map(({ name, email }, i) => signer(i, name, email, 'signed')),
})

export const events = async (id: string) =>
  asOwner<{ name: string; data: Record<string, unknown>; timeline_id: string | null }>(
    app.databaseUrl,
    `select name, data, timeline_id from events where workspace_id = $1 and subject_id = $2 order by id`,
    [workspace.id, id],
  )

export const namesOf = async (id: string) => (await events(id)).map(({ name }) => name)

export async function sent(body: object = {}): Promise<string> {
  const id = await create(body)
  await advance(id)
  return id
}

export async function contact(email: string): Promise<string> {
  return idOf(await agent.post('/contacts', { first_name: 'Cleo', last_name: 'Marsh', email }))
}

/** When documents are looked at next. */
export const looksAt = async (id: string) =>
  (
    await asOwner<{ look_at: string | null }>(
      app.databaseUrl,
      'select look_at from documents where id = $1',
      [id],
    )
  )[0]?.look_at

export const jobs = async (id: string) =>
  (
    await asOwner<{ count: number }>(
      app.databaseUrl,
      `select count(*)::integer as count from graphile_worker._private_jobs where key like '%' || $1`,
      [id],
    )
  )[0]?.count

export const callBack = (path: string, body: object | string, headers: Record<string, string>) =>
  fetch(`${app.url}/callbacks/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
