import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { textReader } from '#kernel/http/text-in.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { codePoint } from '../support/code-point.ts'

let app: TestApp
let agent: Client

beforeAll(async () => {
  app = await testApp()
  agent = await app.credential()
})

afterAll(() => app[Symbol.asyncDispose]())

/** Any text at all: halves of surrogate pairs, NUL, and every other code unit. */
const codeUnits = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))
const anyText = fc.oneof(
  fc.string({ unit: codeUnits, maxLength: 60 }),
  fc.string({ unit: codePoint, maxLength: 100 }),
  fc.string({ unit: 'grapheme' }),
)
const cleanText = fc.string({ unit: 'grapheme', maxLength: 30 })

const members = {
  first_name: cleanText,
  last_name: cleanText,
  email: fc.constantFrom('ada@reyes.example', "o'hara+1@mail.reyes.example"),
  phone: fc.oneof(
    fc.constantFrom('+13125550123', '(312) 555-0177'),
    fc.string({ unit: 'grapheme', maxLength: 10 }).filter((text) => !text.includes('******')),
  ),
  stage: fc.constantFrom('LEAD', 'SPHERE', 'TRASH'),
  source: cleanText,
  tags: fc.array(fc.string({ unit: 'grapheme', maxLength: 10 }), { maxLength: 30 }),
  notes: cleanText,
}

const sound = fc.record(members, { requiredKeys: [] })

/** A valid contact with one member that can be anything. */
const nearlySound = fc
  .tuple(
    sound,
    fc.oneof(fc.constantFrom(...Object.keys(members), 'owner_id', 'id', 'erased_at', '__proto__'), anyText),
    fc.oneof(fc.jsonValue(), anyText),
  )
  .map(([contact, name, value]): object =>
    Object.defineProperty({ ...contact }, name, { value, enumerable: true, configurable: true }),
  )

const anything = fc.oneof(
  { weight: 2, arbitrary: sound },
  { weight: 3, arbitrary: nearlySound },
  { weight: 1, arbitrary: fc.jsonValue() },
)

type Json = Record<string, unknown>

const bodyOf = (method: string) =>
  orNotFound(endpoints.find((one) => one.method === method && /^.contacts(?:.{id})?$/.test(one.path))?.body)
const readers = {
  POST: textReader(bodyOf('POST'), { isPatch: false }),
  PATCH: textReader(bodyOf('PATCH'), { isPatch: true }),
}

/** What a record shows of an accepted body: its texts as they are read, with each tag once in any case, and none blank. */
const shown = (method: keyof typeof readers, body: object): Json => {
  const sent = readers[method](JSON.parse(JSON.stringify(body))) as Json
  if (!('tags' in sent)) return sent
  const keys = (sent['tags'] as string[]).map((tag) => tag.trim().toLowerCase())
  return {
    ...sent,
    tags: (sent['tags'] as string[]).filter(
      (_, at) => keys[at] !== '' && keys.indexOf(keys[at] ?? '') === at,
    ),
  }
}

test('any JSON sent as a contact is rejected or read back exactly', async () => {
  const { id } = (await agent.post('/contacts')).body
  await fc.assert(
    fc.asyncProperty(anything, fc.boolean(), async (body, create) => {
      app.clock.advance(60_000)
      const before = (await agent.get(`/contacts/${id}`)).body
      const raw = JSON.stringify(body)
      const response = await agent.request(
        create ? 'POST' : 'PATCH',
        create ? '/contacts' : `/contacts/${id}`,
        { raw },
      )
      const taken = response.status === (create ? 201 : 200)
      if (!taken) {
        expect([400, 404]).toContain(response.status)
        expect((await agent.get(`/contacts/${id}`)).body).toEqual(before)
        return
      }
      expect(raw).toMatch(/^\{/)
      expect(response.body).toMatchObject(shown(create ? 'POST' : 'PATCH', body as object))
      expect((await agent.get(`/contacts/${response.body['id']}`)).body).toEqual(response.body)
    }),
    { numRuns: 200 },
  )
})

test('a valid contact is accepted', async () => {
  await fc.assert(
    fc.asyncProperty(sound, async (body) => {
      app.clock.advance(60_000)
      const response = await agent.post('/contacts', body)
      expect(response).toMatchObject({ status: 201, body: shown('POST', body) })
    }),
    { numRuns: 100 },
  )
})

test('a contact search with any text returns 200 or 400', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyText,
      fc.constantFrom('q', 'tag', 'source', 'owner_id', 'cursor', 'fields'),
      async (text, name) => {
        app.clock.advance(60_000)
        const { status } = await agent.get(`/contacts?${name}=${encodeURIComponent(text.toWellFormed())}`)
        expect([200, 400]).toContain(status)
      },
    ),
    { numRuns: 200 },
  )
})
