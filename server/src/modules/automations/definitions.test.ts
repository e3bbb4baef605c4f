import { expect, test } from 'vitest'
import { agent, openScene } from '#test/scenes/workspace.ts'

openScene()

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
])('a definition with %s is rejected by path', async ([, definition, path, message]) => {
  const { status, body } = await agent.post('/automations/validate', { definition })
  expect(status).toBe(400)
  expect(body['error'].details).toEqual(
    expect.arrayContaining([{ path, message: expect.stringMatching(message) }]),
  )
})
