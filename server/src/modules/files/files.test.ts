import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { later } from '#kernel/clock.ts'
import { createContext } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { revokeApiKey } from '../access/public.ts'
import { changeMember } from '../workspaces/public.ts'
import { eraseFile } from './erase-file.ts'
import { fileLink, linkMs } from './file-link.ts'
import { removeErasedFiles } from './jobs.ts'
import type { FileStore } from './ports.ts'
import { listErasedFiles } from './queries.ts'
import { removeFile } from './remove-file.ts'
import { sharedLink } from './shared-link.ts'
import { FileTooLarge, reserveFile, storeFile } from './store-file.ts'

let app: TestApp
let workspace: TestWorkspace
let reader: Client
const content: Buffer = randomBytes(300_000)

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  reader = await workspace.credential('deals:read')
})
afterAll(() => app[Symbol.asyncDispose]())

async function* pieces(bytes = content) {
  for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536)
}

const reserve = (name = 'Offer.pdf') =>
  workspace.ctx.transaction(async (tx) =>
    reserveFile(tx, { name, media_type: 'application/pdf', scope: 'deals:read' }),
  )

const store = (id: string, bytes = content, maxBytes = 1_000_000, files: FileStore = app.files) =>
  storeFile(workspace.ctx, files, id, async () => pieces(bytes), maxBytes)

async function stored(name?: string, bytes?: Buffer): Promise<string> {
  const id = await reserve(name)
  await store(id, bytes)
  return id
}

const linkFor = (actor: { type: string; id: string | null }, fileId: string) =>
  fileLink(
    createContext(app.runtime, {
      workspaceId: workspace.id,
      actor: { ...actor, name: 'Reader' },
      scopes: new Set(),
    }),
    fileId,
  )

const urlFor = (fileId: string, client = reader) =>
  linkFor({ type: 'api_key', id: client.keyId ?? '' }, fileId)?.url ?? ''

const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, headers })

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('a link downloads the file as an attachment under its name', async () => {
  const response = await get(urlFor(await stored('Offer, 12 Elm Stréet “final”.pdf')))
  expect(response.status).toBe(200)
  expect((await bytesOf(response)).equals(content)).toBe(true)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': '300000',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-disposition': `attachment; filename="Offer_ 12 Elm Street _final_.pdf"; filename*=UTF-8''Offer%2C%2012%20Elm%20Str%C3%A9et%20%E2%80%9Cfinal%E2%80%9D.pdf`,
    etag: `"${createHash('sha256').update(content).digest('hex')}"`,
  })
})

test.for<[range: string, status: number, first: number, last: number]>([
  ['bytes=0-0', 206, 0, 0],
  ['bytes=100-199', 206, 100, 199],
  ['bytes=299999-', 206, 299_999, 299_999],
  ['bytes=299000-999999', 206, 299_000, 299_999],
  ['bytes=-10', 206, 299_990, 299_999],
  ['bytes=-999999', 206, 0, 299_999],
  ['bytes=0-9,20-29', 200, 0, 299_999],
  ['bytes=9-0', 200, 0, 299_999],
  ['bytes=-', 200, 0, 299_999],
  ['lines=0-9', 200, 0, 299_999],
])('a range of %s returns %s', async ([range, status, first, last]) => {
  const response = await get(urlFor(await stored()), { range })
  expect(response.status).toBe(status)
  expect(response.headers.get('content-range')).toBe(status === 206 ? `bytes ${first}-${last}/300000` : null)
  expect((await bytesOf(response)).equals(content.subarray(first, last + 1))).toBe(true)
})

test('an unsatisfiable range returns 416, and a stale If-Range returns the whole file', async () => {
  const url = urlFor(await stored())
  for (const range of ['bytes=300000-', 'bytes=-0']) {
    const response = await get(url, { range })
    expect(response.status).toBe(416)
    expect(response.headers.get('content-range')).toBe('bytes */300000')
  }
  const { headers } = await get(url)
  const etag = headers.get('etag') ?? ''
  expect((await get(url, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
  expect((await get(url, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
  expect((await get(url, { 'if-none-match': `"other", ${etag}` })).status).toBe(304)
})

test('HEAD returns only headers, and an empty file can be downloaded', async () => {
  const head = await get(urlFor(await stored()), {}, 'HEAD')
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '300000'])
  expect(await bytesOf(head)).toHaveLength(0)
  const empty = await get(urlFor(await stored('Empty.pdf', Buffer.alloc(0))))
  expect([empty.status, empty.headers.get('content-length')]).toEqual([200, '0'])
})

test('a link is valid for exactly five minutes', async () => {
  const link = linkFor({ type: 'api_key', id: reader.keyId ?? '' }, await stored())
  const now = app.clock.now()
  expect(link?.expires_at).toBe(later(now, linkMs).toISOString())
  app.clock.set(later(now, linkMs - 1))
  expect((await get(link?.url ?? '')).status).toBe(200)
  app.clock.set(later(now, linkMs))
  expect((await get(link?.url ?? '')).status).toBe(404)
  app.clock.set(now)
})

test('a link for a provider is valid until its time, for its file, without a credential', async () => {
  const [id, other] = [await stored(), await stored()]
  const now = app.clock.now()
  const share = (fileId: string) =>
    sharedLink(workspace.ctx, { workspaceId: workspace.id, fileId, expiresAt: later(now, 86_400_000) })
  const url = share(id)
  expect(await bytesOf(await get(url))).toEqual(content)
  for (const one of [
    url.replace(id, other),
    `${url}A`,
    url.slice(0, -1),
    url.replace('/shared-files/', '/files/'),
  ])
    expect((await get(one)).status).toBe(404)
  await workspace.ctx.transaction((tx) => eraseFile(tx, id))
  expect((await get(url)).status).toBe(404)
  app.clock.set(later(now, 86_399_999))
  expect((await get(share(other))).status).toBe(200)
  app.clock.set(later(now, 86_400_000))
  expect((await get(share(other))).status).toBe(404)
  app.clock.set(now)
  await removeErasedFiles(app.files).handle(app.runtime)
})

test('an altered link and a link to a missing file return 404', async () => {
  const [one, other] = [await stored(), await stored()]
  const url = urlFor(one)
  const token = url.slice(url.lastIndexOf('/') + 1)
  const parts = token.split('.')
  const changed = [
    token.replace(one, other),
    token.replace(workspace.id, (await app.workspace()).id),
    token.replace('.api_key.', '.member.'),
    token.replace(parts[4] ?? '', (Number.parseInt(parts[4] ?? '', 36) + 60_000).toString(36)),
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    `${token}=`,
    token.slice(0, -2),
    parts.slice(0, 5).join('.'),
    'nothing',
  ]
  const responses = await Promise.all(
    [
      ...changed,
      urlFor(newId(app.clock.now())).split('/').at(-1),
      urlFor(await reserve())
        .split('/')
        .at(-1),
    ].map(async (text) => {
      const response = await get(`${app.url}/files/${text}`)
      const { error } = (await response.json()) as { error: { message: string } }
      return `${response.status} ${error.message}`
    }),
  )
  expect(new Set(responses)).toEqual(new Set(['404 The file does not exist, or the link has expired.']))
  expect((await get(url)).status).toBe(200)
})

test('a link stops working when its credential is revoked or lacks the scope', async () => {
  const id = await stored()
  const key = await workspace.credential('deals:read')
  const url = urlFor(id, key)
  expect((await get(url)).status).toBe(200)
  await revokeApiKey(workspace.ctx, key.keyId ?? '')
  expect((await get(url)).status).toBe(404)
  expect((await get(urlFor(id, await workspace.credential('contacts:read')))).status).toBe(404)
  expect((await get(urlFor(id, await app.credential('deals:read')))).status).toBe(404)

  const member = await workspace.member()
  await changeMember(workspace.ctx, member.id, { role: 'isa' })
  const ofMember = linkFor({ type: 'member', id: member.id }, id)?.url ?? ''
  const ofTheirKey = urlFor(id, await workspace.keyFor(member.id))
  for (const one of [ofMember, ofTheirKey]) expect((await get(one)).status).toBe(200)
  await changeMember(workspace.ctx, member.id, { active: false })
  for (const one of [ofMember, ofTheirKey]) expect((await get(one)).status).toBe(404)

  expect(linkFor({ type: 'system', id: null }, id)).toBeUndefined()
})

test('an app’s links stop working when it is disconnected', async () => {
  const id = await stored()
  const [appId, grantId] = [newId(app.clock.now()), newId(app.clock.now())]
  const member = await workspace.member()
  await asOwner(
    app.databaseUrl,
    `insert into oauth_apps (id, workspace_id, name, redirect_uris, scopes, confidential, created_at, updated_at)
     values ($1, $2, 'App', '{https://app.example/}', '{deals:write}', false, now(), now())`,
    [appId, workspace.id],
  )
  await asOwner(
    app.databaseUrl,
    `insert into oauth_grants (id, app_id, workspace_id, member_id, scopes, created_at, updated_at)
     values ($1, $2, $3, $4, '{deals:write}', now(), now())`,
    [grantId, appId, workspace.id, member.id],
  )
  const url = linkFor({ type: 'oauth_app', id: appId }, id)?.url ?? ''
  expect((await get(url)).status).toBe(200)
  await asOwner(app.databaseUrl, 'update oauth_grants set revoked_at = now() where id = $1', [grantId])
  expect((await get(url)).status).toBe(404)
})

test('an erased file returns 404 at once, and the job retries until its content is removed', async () => {
  const id = await stored()
  const url = urlFor(id)
  const place = { workspaceId: workspace.id, fileId: id }
  await workspace.ctx.transaction((tx) => eraseFile(tx, id))
  expect((await get(url)).status).toBe(404)
  expect(await app.files.get(place)).toBeDefined()

  const down: FileStore = { ...app.files, delete: () => Promise.reject(new Error('down')) }
  await expect(removeFile(workspace.ctx, down, id)).rejects.toThrow('down')
  await removeErasedFiles(down).handle(app.runtime)
  expect(await listErasedFiles(workspace.ctx.db)).toEqual([id])

  await removeErasedFiles(app.files).handle(app.runtime)
  expect(await app.files.get(place)).toBeUndefined()
  expect(await listErasedFiles(workspace.ctx.db)).toEqual([])
})

test('a file that is erased while it is being stored leaves nothing', async () => {
  const id = await reserve()
  const eraseMeanwhile: FileStore = {
    ...app.files,
    async put(place, bytes) {
      await app.files.put(place, bytes)
      await workspace.ctx.transaction((tx) => eraseFile(tx, id))
      await removeFile(workspace.ctx, { ...app.files, delete: async () => undefined }, id)
    },
  }
  expect(await store(id, content, 1_000_000, eraseMeanwhile)).toBe(false)
  expect(await app.files.get({ workspaceId: workspace.id, fileId: id })).toBeUndefined()
  expect(await store(id)).toBe(false)
})

test('a file is stored only once, and one that is too large is not stored', async () => {
  const id = await reserve()
  await expect(store(id, content, content.length - 1)).rejects.toThrow(FileTooLarge)
  expect(await app.files.get({ workspaceId: workspace.id, fileId: id })).toBeUndefined()
  expect(await store(id, content, content.length)).toBe(true)
  expect(await store(id, randomBytes(10))).toBe(true)
  expect(await bytesOf(await get(urlFor(id)))).toHaveLength(content.length)
})

test('a download waits for a slow reader and is not buffered in memory', async () => {
  const id = await stored('Large.pdf', Buffer.alloc(1))
  await asOwner(app.databaseUrl, 'update files set size = 100000000 where id = $1', [id])
  let made = 0
  await using large = await testApp()
  large.files.get = async () =>
    Readable.from(
      (async function* () {
        for (; made < 100_000_000; made += 1_000_000) yield Buffer.alloc(1_000_000)
      })(),
    )
  const response = await get(urlFor(id).replace(app.url, large.url))
  const body = response.body?.getReader()
  await body?.read()
  await sleep(300)
  expect(made).toBeLessThan(50_000_000)
  await body?.cancel()
})
