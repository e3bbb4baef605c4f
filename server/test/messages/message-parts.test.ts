import { afterAll, beforeAll, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { endpoints } from '../../src/api.ts'
import { beginSends } from '../../src/modules/messages/outbox/begin-sends.ts'
import { listSenders } from '../../src/modules/senders/public.ts'
import type { Schema } from '../contract/hostile-values.ts'
import { put } from '../contract/places.ts'
import { bodyFor, kindsOf, plain } from '../contract/requests.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { asOwner } from '../support/database.ts'
import { readyToSend } from '../support/ready-to-send.ts'

const said = 'Adults only, no kids: call +13125557188 or marker@reyes.example.'

let app: TestApp
let workspace: TestWorkspace
let agent: Client
let few: Client

beforeAll(async () => {
  app = await testApp({ now: '2026-03-02T18:00:00.000Z' })
  workspace = await app.workspace()
  await readyToSend(workspace)
  agent = await workspace.credential()
  few = await workspace.credential('messages:read', 'messages:send', 'contacts:read', 'compliance:read')
})
afterAll(() => app[Symbol.asyncDispose]())

/** Members of a draft that no one reads as words, with the reason. */
const notRead: Record<string, string> = {
  to: 'It is where the message goes.',
  from: 'It names a sender.',
  contact_id: 'It names a contact.',
  reply_to_message_id: 'It names a message.',
  'template.name': 'It names a text that the provider has approved.',
  'template.language': 'It is a code.',
  'media_urls.0': 'Texts that an AI wrote have no files.',
}

interface Part {
  kind: string
  place: string[]
}

const drafts = endpoints
  .filter(({ method, path }) => method === 'POST' && path === '/messages')
  .flatMap(kindsOf)
const texts = (schema: Schema, at: string[] = []): string[][] => {
  const { type, enum: values, properties = {}, items, anyOf = [] } = schema
  return [
    ...(type === 'string' && values === undefined && !('const' in schema) ? [at] : []),
    ...Object.entries(properties).flatMap(([name, one]) => texts(one, [...at, name])),
    ...(items === undefined ? [] : texts(items, [...at, '0'])),
    ...anyOf.flatMap((one) => texts(one, at)),
  ]
}
const partsOf = (draft: (typeof drafts)[number]): Part[] =>
  texts(plain(draft.body ?? {})).map((place) => ({ kind: draft.kind ?? '', place }))
const isRead = ({ place }: Part) => !(place.join('.') in notRead)
const parts = drafts.flatMap(partsOf).filter(isRead)
/** An item of a list is also tried in the middle of the list and at its end. */
const places = parts.flatMap(({ kind, place }) =>
  (place.at(-1) === '0' ? ['first', 'middle', 'last'] : ['']).map((where) => ({
    kind,
    where,
    name: place.join('.'),
    place,
  })),
)

/** The draft of this kind with the words in one part. */
function draftWith({ kind, place }: Part, where: string, words: string): Record<string, unknown> {
  const draft = orNotFound(drafts.find((one) => one.kind === kind))
  const known = draft.kind === 'email' && place[0] === 'html' ? { body: undefined } : {}
  const without = place[0] === 'body' && kind === 'whatsapp' ? { template: undefined } : {}
  const body = put(
    plain(draft.body ?? {}),
    { ...bodyFor(draft), ...known, ...without },
    place,
    words,
  ) as Record<string, never>
  const fine = { first: [words, 'a', 'b'], middle: ['a', words, 'b'], last: ['a', 'b', words] }[where]
  return fine === undefined
    ? body
    : { ...body, template: { ...(body['template'] as unknown as object), variables: fine } }
}

const fieldOf = ([name = '']: readonly string[]) => name

test('each text of a draft is a part that someone reads, or a listed exception', () => {
  const all = drafts.flatMap(partsOf)
  expect(new Set(all.filter((one) => !isRead(one)).map(({ place }) => place.join('.')))).toEqual(
    new Set(Object.keys(notRead)),
  )
  expect(parts.length).toBeGreaterThan(5)
})

test.each(places)(
  'the content gate reads $kind $name $where, and masks what it found',
  async ({ where, ...part }) => {
    const draft = draftWith(part, where, said)
    const field = fieldOf(part.place)
    for (const ai_generated of [true, false]) {
      app.clock.advance(60_000)
      const { status, body } = await agent.post('/messages/preflight', { ...draft, ai_generated })
      expect([status, body['error']]).toEqual([200, undefined])
      expect(body['content']).toContainEqual(expect.objectContaining({ code: 'content_fair_housing', field }))
      expect((body['reasons'] as string[]).includes('content_fair_housing')).toBe(ai_generated)
      const seen = JSON.stringify((await few.post('/messages/preflight', { ...draft, ai_generated })).body)
      expect(seen).not.toMatch(/5557188|marker@/)
    }
  },
)

const columns = { body: 'body', subject: 'subject', html: 'body_html', template: 'template' } as const

test.each(places)(
  'as it leaves, a message of the AI is read in $kind $name $where',
  async ({ where, ...part }) => {
    app.clock.advance(60_000)
    const harmless = draftWith(part, where, 'See you.')
    // Without a conversation, only a template may be sent.
    const draft =
      part.kind === 'whatsapp'
        ? orNotFound(bodyFor(orNotFound(drafts.find(({ kind }) => kind === 'whatsapp'))))
        : harmless
    const { status, body } = await agent.post('/messages', { ...draft, when_blocked: undefined })
    expect(status).toBe(201)
    const column = columns[fieldOf(part.place) as keyof typeof columns]
    const value = draftWith(part, where, said)[fieldOf(part.place)]
    await asOwner(app.databaseUrl, `update messages set ai_generated = true, ${column} = $2 where id = $1`, [
      body['id'],
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    for (const { id } of await listSenders(workspace.ctx.db))
      expect(await beginSends(app.runtime, { workspaceId: workspace.id, senderId: id }, 100)).toEqual([])
    const after = (await agent.get(`/messages/${body['id']}`)).body
    expect(after).toMatchObject({ status: 'blocked' })
    expect(after['compliance'].reasons).toContain('content_fair_housing')
  },
)

test.each(places)(
  'without contacts:read:pii, $kind $name $where is masked wherever it is shown',
  async ({ where, ...part }) => {
    app.clock.advance(60_000)
    const sent = await agent.post('/messages', { ...draftWith(part, where, said), when_blocked: undefined })
    const id = sent.body['id'] ?? sent.body['error']?.message_id
    const { data } = (await agent.get('/messages?limit=1')).body
    for (const path of [
      `/messages/${id ?? data[0].id}`,
      '/messages',
      '/conversations',
      '/events',
      `/contacts/${data[0].contact_id}/events`,
      `/contacts/${data[0].contact_id}/evidence`,
    ]) {
      const { body } = await few.get(path)
      expect([path, /5557188|marker@/.exec(JSON.stringify(body))?.[0]]).toEqual([path, undefined])
    }
  },
)
