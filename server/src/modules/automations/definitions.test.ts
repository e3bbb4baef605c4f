import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { agent, openScene } from '#test/scenes/workspace.ts'
import { DefinitionSchema } from './definition/definition.ts'
import { stepSchemas } from './definition/step-types.ts'

openScene()

interface EventList {
  items: { properties: { event: { enum: string[] } } }
}

const tag = (key: string) => ({ key, type: 'tag', tag: key })

test.for<[string, unknown, string, RegExp]>([
  ['no steps', { steps: [] }, 'definition.steps', /must not be empty/],
  ['a step of no kind', { steps: [{ key: 'a', type: 'jump' }] }, 'definition.steps.0.type', /known type/],
  ['two keys alike', { steps: [tag('a'), tag('a')] }, 'definition.steps', /two steps with the key a/],
  [
    '101 steps',
    {
      steps: [
        {
          key: 'b',
          type: 'branch',
          branches: [{ conditions: { all: [] }, steps: Array.from({ length: 100 }, (_, i) => tag(`k${i}`)) }],
        },
      ],
    },
    'definition.steps',
    /at most 100 steps/,
  ],
  [
    'an unknown event',
    { triggers: [{ event: 'contact.creatd' }], steps: [tag('a')] },
    'definition.triggers.0.event',
    /contact.created/,
  ],
  ...(
    [
      ['webhook.created', /not an event about a contact/],
      ['listing.price_changed', /not an event about a contact/],
      ['automation.ended', /cannot listen/],
      ['enrollment.created', /cannot listen/],
      ['contact.erased', /cannot listen/],
    ] as const
  ).flatMap(([event, message]): [string, unknown, string, RegExp][] => [
    [
      `a trigger on ${event}`,
      { triggers: [{ event }], steps: [tag('a')] },
      'definition.triggers.0.event',
      message,
    ],
    [
      `a wait for ${event}`,
      { steps: [{ key: 'w', type: 'wait_for', events: [{ event }], timeout: { days: 1 } }] },
      'definition.steps.0.events.0.event',
      message,
    ],
  ]),
  [
    'an unknown field',
    {
      triggers: [
        { event: 'lead.created', conditions: { field: 'contact.stag', operator: 'eq', value: 'LEAD' } },
      ],
      steps: [tag('a')],
    },
    'definition.triggers.0.conditions.field',
    /contact.stage/,
  ],
  [
    'an email without a subject',
    { steps: [{ key: 'a', type: 'send', channel: 'email', body: 'Hi' }] },
    'definition.steps.0.subject',
    /is required/,
  ],
  [
    'a placeholder of nothing',
    { steps: [{ key: 'a', type: 'send', channel: 'sms', body: 'Hi {{name}}' }] },
    'definition.steps.0.body',
    /unknown placeholder: name/,
  ],
  [
    'a member that the event of the trigger does not have',
    {
      triggers: [
        {
          event: 'contact.tag_added',
          conditions: { all: [{ field: 'trigger.tags', operator: 'eq', value: 'vip' }] },
        },
      ],
      steps: [{ key: 't', type: 'tag', tag: 't' }],
    },
    'definition.triggers.0.conditions.all.0.field',
    /is not in the event, which has id, tag/,
  ],
  [
    'the event of a wait_for in a branch',
    {
      steps: [
        {
          key: 'b',
          type: 'branch',
          branches: [{ conditions: { field: 'event.tag', operator: 'eq', value: 'vip' }, steps: [] }],
        },
      ],
    },
    'definition.steps.0.branches.0.conditions.field',
    /only to the events of a wait_for/,
  ],
  [
    'the text of a reply',
    {
      steps: [
        {
          key: 'w',
          type: 'wait_for',
          timeout: { days: 1 },
          events: [
            {
              event: 'message.received',
              conditions: { field: 'event.body', operator: 'contains', value: 'yes' },
              steps: [],
            },
          ],
        },
      ],
    },
    'definition.steps.0.events.0.conditions.field',
    /is not in the event, which has id, /,
  ],
  [
    'a placeholder in the title of a task',
    { steps: [{ key: 'a', type: 'task', title: 'Call {{contact.first_name}}' }] },
    'definition.steps.0.title',
    /only send/,
  ],
  [
    'a placeholder in a note',
    { steps: [{ key: 'a', type: 'note', body: 'Called {{contact.first_name}}' }] },
    'definition.steps.0.body',
    /only send/,
  ],
  [
    'a placeholder that is not closed',
    { steps: [{ key: 'a', type: 'send', channel: 'sms', body: 'Hi {{contact.first_name}, hello' }] },
    'definition.steps.0.body',
    /has {{ without/,
  ],
  ['a step without a type', { steps: [{ key: 'a' }] }, 'definition.steps.0.type', /^is required$/],
  ...(
    [
      ['sometimes', '', /must be one of never, always/],
      [null, '', /must be one of never, always/],
      [[], '', /must be one of never, always/],
      [{}, '.after_days', /is required/],
      [{ after_days: 0 }, '.after_days', /at least 1/],
      [{ after: 3 }, '.after', /did you mean|not a known/],
    ] as const
  ).map(([value, at, message]): [string, unknown, string, RegExp] => [
    `the re-enrollment ${JSON.stringify(value)}`,
    { re_enrollment: value, steps: [tag('a')] },
    `definition.re_enrollment${at}`,
    message,
  ]),
])('a definition with %s is rejected with the path of the error', async ([, definition, path, message]) => {
  const { status, body } = await agent.post('/automations/validate', { definition })
  expect(status).toBe(400)
  expect(body['error'].details).toEqual(
    expect.arrayContaining([{ path, message: expect.stringMatching(message) }]),
  )
})

const unknown = 'cmi8h2k5p0001zq8r4t6w9x3y'

test.for<[string, object]>([
  ['member_id', { type: 'owner', member_id: unknown }],
  ['assignee_id', { type: 'task', title: 'Call', assignee_id: unknown }],
  ['automation_id', { type: 'enroll', automation_id: unknown }],
  ['persona_id', { type: 'ai_message', channel: 'sms', purpose: 'Ask for a time', persona_id: unknown }],
])('a step whose %s does not exist returns 404 with its path', async ([name, step]) => {
  const definition = { steps: [tag('a'), { key: 'b', ...step }] }
  const { status, body } = await agent.post('/automations/validate', { definition })
  expect([status, body['error'].details]).toEqual([
    404,
    [{ path: `definition.steps.1.${name}`, message: 'does not exist in this workspace' }],
  ])
})

test('records that do not exist are all named: in a 404, or beside other faults in a 400', async () => {
  const steps = [
    { key: 'a', type: 'owner', member_id: unknown },
    { key: 'b', type: 'enroll', automation_id: unknown },
  ]
  const missing = ['member_id', 'automation_id'].map((name, i) => ({
    path: `definition.steps.${i}.${name}`,
    message: 'does not exist in this workspace',
  }))
  const validate = async (definition: object) => {
    const { status, body } = await agent.post('/automations/validate', { definition })
    return [status, body['error'].details]
  }
  expect(await validate({ steps })).toEqual([404, missing])
  const fault = { path: 'definition.max_per_hour', message: 'must be at least 1' }
  expect(await validate({ max_per_hour: 0, steps })).toEqual([400, [fault, ...missing]])
})

const nested = (depth: number): object[] =>
  depth === 0
    ? [tag('leaf')]
    : [
        {
          key: `b${depth}`,
          type: 'branch',
          branches: [{ conditions: { all: [] }, steps: nested(depth - 1) }],
        },
      ]

test('an enrollment context is limited to 16 kB', async () => {
  const { body: made } = await agent.post('/automations', { name: 'Long', definition: { steps: [tag('a')] } })
  await agent.post(`/automations/${made.id}/publish`)
  await agent.post(`/automations/${made.id}/enable`)
  const post = async (length: number) => {
    const { body: contact } = await agent.post('/contacts', {})
    const context = { note: 'n'.repeat(length) }
    return agent.post(`/automations/${made.id}/enroll`, { contact_id: contact.id, context })
  }
  expect((await post(16_000)).status).toBe(202)
  expect(await post(17_000)).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'context' }] } },
  })
})

test('branches nest up to 8 deep', async () => {
  const validate = async (depth: number) => {
    const { status, body } = await agent.post('/automations/validate', {
      definition: { steps: nested(depth) },
    })
    return [status, body['error']?.details]
  }
  expect(await validate(8)).toEqual([200, undefined])
  expect(await validate(9)).toEqual([
    400,
    [{ path: expect.any(String), message: expect.stringMatching(/nested/) }],
  ])
})

test('the published schema uses only keywords that validation checks', () => {
  const checked = new Set(
    `type enum pattern minLength maxLength minimum maximum items minItems maxItems properties required additionalProperties
    minProperties maxProperties $ref anyOf title description default examples $defs`.split(/\s+/),
  )
  const unchecked: string[] = []
  const visit = (schema: unknown, at: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [name, inside] of Object.entries(schema)) {
      if (!checked.has(name)) unchecked.push(`${at}.${name}`)
      if (name === 'properties')
        for (const [member, one] of Object.entries(inside)) visit(one, `${at}.${member}`)
      else if (name === 'anyOf') for (const one of inside) visit(one, at)
      else if (name === 'items' || name === 'additionalProperties') visit(inside, at)
    }
  }
  visit(DefinitionSchema, 'definition')
  for (const [type, schema] of stepSchemas) visit(schema, type)
  expect(unchecked).toEqual([])
})

test('the schema lists the events that triggers and waits accept', async () => {
  const { body } = await agent.get('/automations/schema')
  const triggers: string[] = body['properties'].triggers.items.properties.event.enum
  const steps: { properties: { type: { enum: string[] }; events: EventList } }[] =
    body['$defs'].AutomationStep.anyOf
  const waits = steps.find(({ properties }) => properties.type.enum.includes('wait_for'))
  const awaited = orNotFound(waits).properties.events.items.properties.event.enum
  for (const event of ['lead.created', 'contact.tag_added', 'message.received', 'deal.stage_changed']) {
    expect(triggers).toContain(event)
    expect(awaited).toContain(event)
  }
  expect(triggers).toEqual(awaited)
  for (const event of ['automation.ended', 'listing.created', 'api_key.created'])
    expect([...triggers, ...awaited]).not.toContain(event)
})
