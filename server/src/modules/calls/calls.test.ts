import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { personIn } from '#test/support/browser.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { sessionHeaders, withHeaders } from '#test/support/session-client.ts'
import { hashSecret } from '../access/public.ts'
import { changeComplianceSettings } from '../compliance/public.ts'
import { reserveFile, storeFile } from '../files/public.ts'
import { changeCall } from './change-call.ts'
import { eraseOldRecordings } from './erase-calls.ts'
import { lockWithContact } from './lock-person.ts'
import { type CallPatch, addCall, listCallsWithoutSummary, saveSummary } from './public.ts'
import { lockCall } from './queries.ts'
import type { CallSummary } from './save-summary.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const at = '2026-03-02T14:00:00.000Z'
const phone = '+13125550123'
const said = [
  { speaker: 'ai' as const, start_ms: 0, end_ms: 900, text: 'Hello.' },
  { speaker: 'contact' as const, start_ms: 1000, end_ms: 2000, text: `Call me at ${phone}.` },
]

async function openScene() {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const contact_id = idOf(await agent.post('/contacts', { first_name: 'Sam', phone }))
  return { workspace, agent, contact_id }
}

const add = ({ ctx }: TestWorkspace, patch: CallPatch = {}) =>
  ctx.transaction((tx) =>
    addCall(tx, {
      direction: 'INBOUND',
      handled_by: 'ai',
      status: 'completed',
      from: phone,
      to: '+13125550188',
      started_at: at,
      ended_at: at,
      duration_seconds: 30,
      ...patch,
    }),
  )

const save = ({ ctx }: TestWorkspace, id: string, summary: CallSummary) =>
  ctx.transaction((tx) => saveSummary(tx, id, summary))

/** Stores these bytes as a recording, as the copy job does. */
async function record({ ctx }: TestWorkspace, callId: string, content: Buffer): Promise<void> {
  const fileId = await ctx.transaction(async (tx) => {
    const id = reserveFile(tx, { name: 'call.wav', media_type: 'audio/wav', scope: 'calls:read' })
    await changeCall(tx, orNotFound(await lockCall(tx, callId)), { recording_file_id: id })
    return id
  })
  await storeFile(ctx, app.files, fileId, async () => pieces(content), 1_000_000)
  await ctx.transaction(async (tx) => {
    await changeCall(tx, orNotFound(await lockWithContact(tx, callId)), { recording_stored_at: at })
  })
}

const eventsOf = ({ id }: TestWorkspace) =>
  asOwner<{ name: string; subject_id: string; data: object }>(
    app.databaseUrl,
    'select name, subject_id, data from events where workspace_id = $1 order by id',
    [id],
  )

async function* pieces(content: Buffer) {
  yield content
}

const call = async (agent: Client, id: string) => (await agent.get(`/calls/${id}`)).body

test('GET /calls lists calls without transcripts; GET /calls/{id} includes the transcript', async () => {
  const { workspace, agent } = await openScene()
  const { id } = await add(workspace, { summary: 'Wants a showing.', transcript: said })
  const { data } = (await agent.get('/calls')).body
  expect(data).toMatchObject([{ id, handled_by: 'ai', summary: 'Wants a showing.', recording_url: null }])
  expect(data[0]).not.toHaveProperty('transcript')
  expect(await call(agent, id)).toMatchObject({ id, transcript: said })
})

test('each filter and pair of filters lists the matching calls, newest first', async () => {
  const { workspace, agent, contact_id } = await openScene()
  const values = {
    contact_id: [contact_id, null],
    handled_by: ['ai', 'human'],
    direction: ['INBOUND', 'OUTBOUND'],
    disposition: ['busy', 'interested'],
    status: ['busy', 'completed'],
  } as const
  const rows: Record<string, unknown>[] = []
  for (let n = 0; n < 32; n++) {
    const patch = Object.fromEntries(
      Object.entries(values).map(([name, [a, b]], bit) => [name, n & (1 << bit) ? a : b]),
    )
    rows.unshift({ ...patch, id: (await add(workspace, patch as CallPatch)).id })
  }
  const asked = Object.entries(values).flatMap(([name, list]) =>
    list.flatMap((value) => (value === null ? [] : [[name, value] as const])),
  )
  for (const one of asked)
    for (const other of asked) {
      if (one !== other && one[0] === other[0]) continue
      const query = new URLSearchParams([[...one], [...other]].slice(one === other ? 1 : 0))
      const listed = (await agent.get(`/calls?${query}`)).body.data.map((row: { id: string }) => row.id)
      const expected = rows.filter((row) => row[one[0]] === one[1] && row[other[0]] === other[1])
      expect(listed, String(query)).toEqual(expected.map(({ id }) => id))
    }
})

test('phone numbers in a call are masked for a credential without personal data', async () => {
  const { workspace } = await openScene()
  const { id } = await add(workspace, {
    summary: `Call ${phone}.`,
    extracted: { number: phone },
    transcript: said,
    completed_at: at,
  })
  const reader = await workspace.credential('calls:read')
  const shown = await call(reader, id)
  expect(JSON.stringify(shown)).not.toContain('3125550123')
  expect(shown).toMatchObject({ from: '+1******0123', transcript: [{ text: 'Hello.' }, {}] })
})

describe('events', () => {
  test('call.completed is published once; later changes publish call.updated', async () => {
    const { workspace, contact_id } = await openScene()
    const { id } = await add(workspace, { contact_id, completed_at: at, transcript: said })
    expect(
      await listCallsWithoutSummary(
        workspace.ctx.db,
        { from: new Date(0), before: new Date('2030-01-01') },
        9,
      ),
    ).toEqual([id])
    const summary = {
      summary: 'Sam wants a showing.',
      summary_source: 'model',
      disposition: 'interested',
    } as const
    expect(await save(workspace, id, summary)).toMatchObject({ id })
    expect(await save(workspace, id, { ...summary, summary: 'Another.' })).toBeUndefined()
    expect(
      await listCallsWithoutSummary(
        workspace.ctx.db,
        { from: new Date(0), before: new Date('2030-01-01') },
        9,
      ),
    ).toEqual([])
    const events = (await eventsOf(workspace)).filter(({ subject_id }) => subject_id === id)
    expect(events.map(({ name }) => name)).toEqual(['call.created', 'call.completed', 'call.updated'])
    expect(events.at(-1)?.data).toMatchObject({
      fields: ['summary', 'summary_source', 'disposition'],
      summary: 'Sam wants a showing.',
      from: '+1******0123',
    })
    expect(JSON.stringify(events)).not.toContain('Call me')
  })
})

describe('a recording', () => {
  const content = Buffer.from(Array.from({ length: 5000 }, (_, n) => n % 251))

  test('is served by a five-minute link, in whole, in part, and to HEAD', async () => {
    const { workspace, agent } = await openScene()
    const { id } = await add(workspace)
    await record(workspace, id, content)
    const { recording_url, recording_expires_at } = await call(agent, id)
    expect(recording_url).toMatch(/^http:\/\/[^/]+\/recordings\//)
    expect(Date.parse(recording_expires_at) - app.clock.now().getTime()).toBe(300_000)
    const whole = await fetch(recording_url)
    expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'audio/wav',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    })
    const part = await fetch(recording_url, { headers: { range: 'bytes=10-19' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 10-19/5000'])
    expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(10, 20))).toBe(true)
    expect((await fetch(recording_url, { headers: { range: 'bytes=5000-' } })).status).toBe(416)
    const head = await fetch(recording_url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '5000'])
  })

  test('a link works only while the call is in reach of the credential that requested it', async () => {
    const { workspace, agent, contact_id } = await openScene()
    const [{ id: ownerId }, { id: nextId }] = [await workspace.member(), await workspace.member()]
    await agent.patch(`/contacts/${contact_id}`, { owner_id: ownerId })
    const { id } = await add(workspace, { contact_id })
    await record(workspace, id, content)
    const { recording_url } = await call(await workspace.keyFor(ownerId), id)
    expect((await fetch(recording_url)).status).toBe(200)
    await agent.patch(`/contacts/${contact_id}`, { owner_id: nextId })
    expect((await fetch(recording_url)).status).toBe(404)
  })

  test('returns 404 once the session that requested the link ends, even with another session open', async () => {
    const { workspace } = await openScene()
    const { id } = await add(workspace)
    await record(workspace, id, content)
    const person = await personIn(workspace, 'owner')
    const [one, other] = [
      await sessionHeaders(app, person, workspace.id),
      await sessionHeaders(app, person, workspace.id),
    ]
    const [first, second] = await Promise.all(
      [one, other].map(async (headers) => String((await call(withHeaders(app, headers), id)).recording_url)),
    )
    const statuses = () => Promise.all([first, second].map(async (url) => (await fetch(String(url))).status))
    expect(await statuses()).toEqual([200, 200])
    const hash = hashSecret(String(one.cookie).split('=')[1] ?? '')
    await asOwner(app.databaseUrl, 'delete from sessions where hash = $1', [hash])
    expect(await statuses()).toEqual([404, 200])
  })

  test('is removed with all call content when the contact is erased', async () => {
    const { workspace, agent, contact_id } = await openScene()
    const { id } = await add(workspace, {
      contact_id,
      completed_at: at,
      transcript: said,
      summary: 'Sam calls.',
    })
    const unlinked = await add(workspace, { summary: 'Sam calls.', completed_at: at })
    await record(workspace, id, content)
    const { recording_url } = await call(agent, id)
    expect((await fetch(recording_url)).status).toBe(200)
    await agent.delete(`/contacts/${contact_id}`)
    expect((await fetch(recording_url)).status).toBe(404)
    for (const one of [id, unlinked.id])
      expect(await call(agent, one)).toMatchObject({
        from: null,
        to: null,
        summary: null,
        extracted: null,
        transcript: null,
        recording_url: null,
        duration_seconds: 30,
        erased_at: expect.any(String),
      })
    expect(JSON.stringify(await eventsOf(workspace))).not.toContain('Sam calls')
    expect(await save(workspace, id, { summary: 'Back.', summary_source: 'person' })).toBeUndefined()
  })

  test('is deleted after the retention period; the transcript stays', async () => {
    const { workspace, agent } = await openScene()
    const { id } = await add(workspace, { completed_at: at, transcript: said })
    await record(workspace, id, content)
    const { recording_url } = await call(agent, id)
    await changeComplianceSettings(workspace.ctx, { recording_retention_days: 2 })
    expect(await eraseOldRecordings(workspace.ctx)).toBe(0)
    const later = new Date(app.clock.now().getTime() + 3 * 86_400_000)
    const ctx = { ...workspace.ctx, clock: { ...workspace.ctx.clock, now: () => later } }
    expect(await eraseOldRecordings(ctx)).toBe(1)
    expect((await fetch(recording_url)).status).toBe(404)
    expect(await call(agent, id)).toMatchObject({ recording_url: null, transcript: said })
  })
})
