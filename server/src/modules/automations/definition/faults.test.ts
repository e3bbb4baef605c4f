import { expect, test } from 'vitest'
import { isObject } from '#kernel/conditions/condition.ts'
import { operators } from '#kernel/conditions/operators.ts'
import type { Schema } from '#kernel/conditions/schema-issues.ts'
import { eventTypesOf } from '../../../runtime.ts'
import { modules } from '../../index.ts'
import { conditionFields } from './condition-fields.ts'
import { readDefinition } from './definition-issues.ts'
import { DefinitionSchema } from './definition.ts'
import { heardEvents } from './heard-events.ts'
import { stepNames, stepSchemas } from './step-types.ts'

type Json = Record<string, unknown>

const eventTypes = eventTypesOf(modules)

/** The issues of a definition, by path. */
const issuesOf = (definition: unknown): Record<string, string> =>
  Object.fromEntries(
    readDefinition(definition, eventTypes).issues.map(({ path, message }) => [path, message]),
  )

const condition = { field: 'contact.source', operator: 'eq', value: 'Website' }
const id = 'cmi8h2k5p0001zq8r4t6w9x3y'
const texts = ['a', '09:00', id, 'https://example.com']

/** A value with every member that the schema allows. `form`: which of several forms. */
function sample(schema: Schema, form = 0): unknown {
  const { $ref, anyOf, enum: allowed, items, properties, pattern } = schema
  if ($ref !== undefined) return $ref.endsWith('Condition') ? condition : { key: 'a', type: 'tag', tag: 'a' }
  if (anyOf !== undefined) return sample(anyOf[form] ?? {})
  if (allowed !== undefined) return allowed[0]
  if (items !== undefined) return [sample(items, form)]
  if (properties !== undefined || schema.type === 'object')
    return Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, one]) => [name, sample(one, form)]),
    )
  if (schema.type === 'string')
    return texts.find((text) => pattern === undefined || new RegExp(pattern).test(text))
  return schema.type === 'boolean' ? true : 1
}

interface Place {
  path: string
  schema: Schema
}

/** The places of the sample, those inside others included. */
function* placesIn(schema: Schema, value: unknown, path: string): Generator<Place> {
  if (schema.$ref !== undefined) return
  if (schema.anyOf !== undefined)
    return yield* placesIn(schema.anyOf[isObject(value) ? 1 : 0] ?? {}, value, path)
  yield { path, schema }
  if (Array.isArray(value)) yield* placesIn(schema.items ?? {}, value[0], `${path}.0`)
  else if (isObject(value))
    for (const [name, member] of Object.entries(value))
      yield* placesIn(schema.properties?.[name] ?? {}, member, `${path}.${name}`)
}

/** The definition with the value at the path. */
function changed(definition: unknown, path: string, value: unknown): Json {
  const whole: Json = structuredClone({ definition })
  const names = path.split('.')
  const last = names.pop() ?? ''
  const part = names.reduce<Json>((inside, name) => inside[name] as Json, whole)
  part[last] = value
  return whole['definition'] as Json
}

/** One letter too many, or, of a word that is too short for that, capital letters. */
const misspelled = (word: string) => (word.length > 2 ? word + word.at(-1) : word.toUpperCase())

const { steps: _, ...outside } = DefinitionSchema.properties
const outsideSchema: Schema = { properties: outside as Record<string, Schema> }
const tagStep = { key: 'end', type: 'tag', tag: 'end' }

/** A definition for the members beside the steps, in both forms, and one for each type of step. */
const samples: [name: string, definition: Json, places: Place[]][] = [
  ...[0, 1].map((form): [string, Json, Place[]] => {
    const whole = sample(outsideSchema, form) as Json
    return [
      `the members beside the steps, form ${form + 1}`,
      { ...whole, steps: [tagStep] },
      [...placesIn(outsideSchema, whole, 'definition')].slice(1),
    ]
  }),
  ...[...stepSchemas].map(([name, schema]): [string, Json, Place[]] => {
    const step = sample(schema as Schema)
    return [
      `the step ${name}`,
      { steps: [tagStep, step] },
      [...placesIn(schema as Schema, step, 'definition.steps.1')],
    ]
  }),
]

const hasInside = ({ type, properties }: Schema) => type === 'array' || properties !== undefined

test.each(samples)(
  '%s: a misspelled choice or member gets the right one and the list',
  (_name, definition, places) => {
    for (const { path, schema } of places) {
      for (const one of schema.enum ?? []) {
        const word = String(one)
        const message = issuesOf(changed(definition, path, misspelled(word)))[path] ?? ''
        expect(message, path).toContain(`; did you mean ${word}?`)
        const all = path.endsWith('.type') ? stepNames : (schema.enum ?? [])
        for (const allowed of all) expect(message, path).toContain(String(allowed))
      }
      for (const name of Object.keys(schema.properties ?? {})) {
        const at = `${path}.${misspelled(name)}`
        expect(issuesOf(changed(definition, at, 1))[at], at).toBe(
          `is not a known field; did you mean ${name}? It is one of ${Object.keys(schema.properties ?? {}).join(', ')}`,
        )
      }
    }
  },
)

test.each(samples)(
  '%s: a fault at every place is reported, alone and with all others',
  (_name, definition, places) => {
    const faulty = places
      .filter(({ schema }) => !hasInside(schema))
      .map(
        ({ path, schema }) =>
          [path, schema.enum === undefined ? null : misspelled(String(schema.enum[0]))] as const,
      )
    expect(faulty.length).toBeGreaterThan(0)
    for (const [path, value] of faulty)
      expect(Object.keys(issuesOf(changed(definition, path, value)))).toContain(path)
    const all = faulty.reduce((whole, [path, value]) => changed(whole, path, value), definition)
    expect(Object.keys(issuesOf(all))).toEqual(expect.arrayContaining(faulty.map(([path]) => path)))
  },
)

const withCondition = (conditions: object) =>
  issuesOf({ triggers: [{ event: 'contact.tag_added', conditions }], steps: [tagStep] })
const at = 'definition.triggers.0.conditions'

test('a misspelled operator, field, value, event, variable, or member of an event gets the right one and the list', () => {
  for (const operator of operators) {
    const message = withCondition({ ...condition, operator: misspelled(operator) })[`${at}.operator`]
    expect(message).toBe(
      `is not a known operator; did you mean ${operator}? It is one of ${operators.join(', ')}`,
    )
  }
  for (const [field, { values = [] }] of Object.entries(conditionFields.fields)) {
    const message = withCondition({ ...condition, field: misspelled(field) })[`${at}.field`]
    expect(message).toContain(`is not a known field; did you mean ${field}? It is one of `)
    expect(message?.split(' It is one of ')[1]?.split(', ')).toContain(field)
    for (const value of values)
      expect(withCondition({ field, operator: 'eq', value: misspelled(value) })[`${at}.value`]).toBe(
        `is not a known value; did you mean ${value}? It is one of ${values.join(', ')}`,
      )
  }
  for (const opening of Object.keys(conditionFields.open)) {
    const field = opening.replace(/t\b/, 'tt').replace('trigger', 'triger')
    expect(withCondition({ ...condition, field: `${field}.price` })[`${at}.field`]).toMatch(
      new RegExp(`; did you mean ${opening}\\.price\\? It is one of .*${opening}\\.…`),
    )
  }
  const events = heardEvents(eventTypes)
  for (const event of events) {
    const path = 'definition.triggers.0.event'
    const message = issuesOf({ triggers: [{ event: misspelled(event) }], steps: [tagStep] })[path]
    const alike = events.filter((one) => one.split('.')[0] === event.split('.')[0])
    expect(message).toBe(`is not a known event; did you mean ${event}? It is one of ${alike.join(', ')}`)
  }
  for (const name of ['contact.first_name', 'contact.last_name', 'owner.name', 'workspace.name']) {
    const body = `Hi {{${misspelled(name)}}}`
    const message = issuesOf({ steps: [{ key: 'a', type: 'send', channel: 'sms', body }] })[
      'definition.steps.0.body'
    ]
    expect(message).toMatch(
      new RegExp(`^has an unknown placeholder: .*; did you mean ${name}\\? Use contact\\.first_name, `),
    )
  }
  expect(withCondition({ ...condition, field: 'trigger.tga' })[`${at}.field`]).toBe(
    'is not in the event, which has id, tag; did you mean trigger.tag?',
  )
})

test('what a name that is near nothing gets is the list alone', () => {
  expect(issuesOf({ steps: [{ key: 'a', type: 'fly' }] })).toEqual({
    'definition.steps.0.type': `is not a known type; it is one of ${stepNames.join(', ')}`,
  })
  expect(issuesOf({ steps: [{ key: 'a', type: 'wait', for: '3 days' }] })).toEqual({
    'definition.steps.0.for': 'must be object with minutes, hours, days',
  })
})

test('faults beyond the schema are reported beside those of the schema, and nothing that follows from another fault', () => {
  const reply = { event: 'message.recieved', conditions: { field: 'event.id', operator: 'eq', value: 'a' } }
  expect(
    Object.keys(
      issuesOf({
        triggers: [
          { event: 'contact.creatd', conditions: { field: 'trigger.id', operator: 'eq', value: 'a' } },
          5,
        ],
        exits: [{ when: 'stage' }, { when: 'stage', stage: 'LEED' }, { when: 'replied', tag: 'a' }],
        re_enrollment: { after_days: 0 },
        max_per_hour: '60',
        steps: [
          { key: 'a', type: 'tag', tag: 5 },
          {
            key: 'a',
            type: 'brnch',
            branches: [{ conditions: condition, steps: [{ key: 'b', type: 'wait' }] }],
          },
          { key: 'c', type: 'wait_for', events: [reply], timeout: { day: 1 } },
          { key: 'd', type: 'branch' },
          { key: 'e', type: 'send', channel: 'email', subject: '', body: 'Hi {{name}}' },
          { key: 'f', type: 'send', channel: 'fax', subject: 'Hi', body: '{{owner.nam}}' },
          { key: 'g', type: 'task', title: 'Call {{owner.name}}', assignee_id: 'Ada' },
          7,
        ],
        color: 'red',
      }),
    ).toSorted(),
  ).toEqual(
    [
      'triggers.0.event',
      'triggers.1',
      'exits.0.stage',
      'exits.1.stage',
      'exits.2.tag',
      're_enrollment.after_days',
      'max_per_hour',
      'steps',
      'steps.0.tag',
      'steps.1.type',
      'steps.1.branches.0.steps.0.for',
      'steps.2.events.0.event',
      'steps.2.timeout.day',
      'steps.3.branches',
      'steps.4.subject',
      'steps.4.body',
      'steps.5.channel',
      'steps.5.body',
      'steps.6.assignee_id',
      'steps.6.title',
      'steps.7',
      'color',
    ]
      .map((path) => `definition.${path}`)
      .toSorted(),
  )
})
