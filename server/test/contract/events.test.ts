import { default as addFormats } from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { type EventType, dataOf } from '#kernel/events/event.ts'
import { payloadText } from '#kernel/events/payload.ts'
import { isId } from '#kernel/ids.ts'
import { openApi } from '../../src/api.ts'
import { modules } from '../../src/modules/index.ts'
import { TimelineEvent } from '../../src/modules/timeline/schemas.ts'

type Json = Record<string, unknown>

/** The events in the API contract, with their scopes. */
const catalog = {
  'contact.created': 'contacts:read',
  'contact.updated': 'contacts:read',
  'contact.stage_changed': 'contacts:read',
  'contact.tag_added': 'contacts:read',
  'lead.created': 'leads:read',
  'lead.assigned': 'leads:read',
  'message.received': 'messages:read',
  'message.sent': 'messages:read',
  'call.completed': 'calls:read',
  'appointment.booked': 'appointments:read',
  'appointment.rescheduled': 'appointments:read',
  'appointment.outcome': 'appointments:read',
  'deal.stage_changed': 'deals:read',
  'automation.run': 'automations:read',
  'document.signed': 'deals:read',
  'saved_search.sent': 'contacts:read',
}

const types = modules.flatMap((module) => module.events ?? [])
const published = types.filter((type) => type.scope !== null)

const document = openApi() as {
  webhooks: Record<string, { post: Json }>
  components: { schemas: Record<string, Json> }
}
const ajv = new Ajv2020({ strict: false, allErrors: true })
;(addFormats as unknown as (target: Ajv2020) => void)(ajv)
ajv.addSchema(document, 'document')

/** What remains of the example after an erasure. */
const erased = (type: EventType): Json =>
  Object.fromEntries(Object.entries(type.example).filter(([name]) => !type.personal.includes(name)))

const texts = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [String(value)]

test.each(Object.entries(catalog))('%s is declared once, with the scope %s', (name, scope) => {
  expect(types.filter((type) => type.name === name).map((type) => type.scope)).toEqual([scope])
})

test('no two events share a name', () => {
  const names = types.map((type) => type.name)
  expect(names).toEqual([...new Set(names)])
})

const withoutContact = types
  .filter((type) => 'contact_id' in type.data.properties)
  .filter((type) => Compile(type.data).Check({ ...type.example, contact_id: null }))
  .map((type) => [type.name, type] as const)

describe.each(types.map((type) => [type.name, type] as const))('%s', (_, type) => {
  const data = Compile(type.data)
  const examples: [string, Json][] = [
    ['whole', type.example as Json],
    ['erased', erased(type)],
  ]

  test.each(examples)('has an example that matches its schema: %s', (_version, example) => {
    expect([...data.Errors(example)]).toEqual([])
    expect(example['id']).toSatisfy(isId)
  })

  test.each(examples)('has a valid timeline entry: %s', (_version, example) => {
    const { type: entryType, title } = type.entry(example)
    expect((TimelineEvent.properties.type as { enum?: unknown }).enum).toContain(entryType)
    expect(title).not.toMatch(/^$|undefined|null|object/)
    const timelines = [type.timelineOf(example)].flat()
    expect(timelines).toSatisfy((ids: typeof timelines) =>
      ids.every((id) => (id === null ? !(type.name in catalog) || type.subject === 'lead' : isId(id))),
    )
  })

  test('makes each personal member optional', () => {
    expect(Object.keys(type.data.properties)).toEqual(expect.arrayContaining([...type.personal]))
    expect((type.data.required ?? []).filter((member) => type.personal.includes(member))).toEqual([])
  })

  test('keeps declared members and drops all others', () => {
    const given = dataOf(type, { ...(type.example as Json), undeclared: 'ada@reyes.example' })
    expect(Object.keys(given)).toEqual(Object.keys(type.example))
  })

  test('has no unmasked phone number or email address in its example', () => {
    const plain = texts(type.example).map((one) => one.replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, ''))
    for (const text of plain.filter((one) => !isId(one))) {
      expect(text).not.toMatch(/\d(?:[ ().-]?\d){6}/)
      expect(text).not.toMatch(/[^*]@/)
    }
  })
})

test.each(withoutContact)('%s is on no timeline if it has no contact', (_, type) => {
  const data: Json = { ...type.example, contact_id: null, contact_ids: [] }
  expect([type.timelineOf(data)].flat().filter((id) => id !== null)).toEqual([])
})

test('the OpenAPI document describes exactly the events that have a scope', () => {
  expect(Object.keys(document.webhooks).sort()).toEqual(published.map((type) => type.name).sort())
  expect(Object.keys(document.webhooks)).toEqual(expect.arrayContaining(Object.keys(catalog)))
})

describe.each(published.map((type) => [type.name, type] as const))('the OpenAPI webhook %s', (name, type) => {
  const post = document.webhooks[name]?.post ?? {}
  const { $ref } = (post['requestBody'] as { content: Record<string, { schema: { $ref: string } }> }).content[
    'application/json'
  ]?.schema ?? { $ref: '' }
  const schema = document.components.schemas[$ref.replace('#/components/schemas/', '')] ?? {}
  const validate = ajv.getSchema(`document${$ref}`)
  const [example] = schema['examples'] as { event: string; data: Json }[]

  test('names its scope', () => {
    expect(post['description']).toContain(`\`${type.scope}\``)
  })

  test('has an example that matches its schema, both whole and erased', () => {
    expect(example?.event).toBe(name)
    expect(example?.data).toMatchObject(type.example)
    expect(validate?.(example), ajv.errorsText(validate?.errors)).toBe(true)
    const { event_id, occurred_at } = example?.data ?? {}
    const rest = { ...example, data: { event_id, occurred_at, ...erased(type) } }
    expect(validate?.(rest), ajv.errorsText(validate?.errors)).toBe(true)
  })

  test('requires each member of the contract', () => {
    const passes = (payload: object) => validate?.(JSON.parse(JSON.stringify(payload)))
    for (const member of ['event', 'tenantId', 'occurredAt', 'data'])
      expect(passes({ ...example, [member]: undefined }), member).toBe(false)
    for (const member of ['event_id', 'occurred_at', 'id'])
      expect(passes({ ...example, data: { ...example?.data, [member]: undefined } }), member).toBe(false)
  })

  test('has no envelope members and no message text in its data', () => {
    const reserved = new Set(['event_id', 'occurred_at', 'body', 'subject', 'preview', 'transcript'])
    expect(Object.keys(type.data.properties).filter((member) => reserved.has(member))).toEqual([])
  })

  test('rejects another event name', () => {
    expect(validate?.({ ...example, event: 'contact.other' })).toBe(false)
  })
})

describe('the payload text', () => {
  const row = {
    id: 'cmi8h9r2t0003k1v5b8n2c6x0',
    name: 'contact.tag_added',
    subject_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    data: { tag: 'buyer', id: 'cmi8h2k5p0001zq8r4t6w9x3y' },
    occurred_at: '2026-11-20T20:12:40.120Z',
  }

  test('has the contract’s members in a fixed order', () => {
    expect(payloadText('cmi8h0s4a0000b3n7m1k5v9z2', row)).toBe(
      '{"event":"contact.tag_added","tenantId":"cmi8h0s4a0000b3n7m1k5v9z2",' +
        '"occurredAt":"2026-11-20T20:12:40.120Z","data":{"event_id":"cmi8h9r2t0003k1v5b8n2c6x0",' +
        '"occurred_at":"2026-11-20T20:12:40.120Z","id":"cmi8h2k5p0001zq8r4t6w9x3y","tag":"buyer"}}',
    )
  })

  test('matches its schema in the OpenAPI document', () => {
    const validate = ajv.getSchema('document#/components/schemas/ContactTagAddedPayload')
    expect(validate?.(JSON.parse(payloadText('cmi8h0s4a0000b3n7m1k5v9z2', row)))).toBe(true)
  })
})
