import { expect, test } from 'vitest'
import { standardScript } from './script.ts'
import { scriptedModel } from './start.ts'

const announcement =
  'Hello, this is the AI assistant of Lantern & Oak. Say "stop calling" at any time to end such calls.'

test.for([
  ['who says nothing', [], 'left_voicemail'],
  ['who wants no more calls', ['contact: Please stop calling me.'], 'do_not_call'],
  ['who is not interested', ['contact: I am not interested.'], 'not_interested'],
  ['who agrees to a time', ['contact: Saturday is fine.'], 'appointment_set'],
  ['who asks something', ['contact: How large is it?'], 'callback_requested'],
] as const)(
  'the scripted model summarizes a call by the person’s words, not the announcement: one %s',
  async ([, said, disposition]) => {
    const content = ['An outgoing call.', '<mark>', `ai: ${announcement}`, ...said, '</mark>'].join('\n')
    const schema = { properties: { summary: {} } }
    const served = await scriptedModel(await standardScript())({
      method: 'POST',
      path: ['', 'v1', 'chat', 'completions'],
      body: JSON.stringify({
        messages: [{ role: 'user', content }],
        response_format: { type: 'json_schema', json_schema: schema },
      }),
    } as never)
    const { choices } = JSON.parse(String((served as { body: string }).body)) as {
      choices: { message: { content: string } }[]
    }
    expect(JSON.parse(choices[0]?.message.content ?? '')).toMatchObject({ disposition })
  },
)

test('the scripted model rejects a schema that is invalid for strict structured outputs', async () => {
  const respond = scriptedModel([{ match: '', say: { action: 'none' } }])
  const asked = (member: object, strict: boolean) =>
    respond({
      method: 'POST',
      path: ['', 'v1', 'chat', 'completions'],
      body: JSON.stringify({
        messages: [{ role: 'user', content: 'Hi' }],
        response_format: {
          type: 'json_schema',
          json_schema: {
            strict,
            schema: {
              type: 'object',
              properties: { action: member },
              required: ['action'],
              additionalProperties: false,
            },
          },
        },
      }),
    } as never)
  expect(await asked({ enum: ['reply'] }, true)).toMatchObject({
    status: 400,
    body: expect.stringContaining("'action'), schema must have a 'type' key"),
  })
  expect(await asked({ enum: ['reply'] }, false)).toMatchObject({ status: 200 })
  expect(await asked({ type: 'string', enum: ['reply'] }, true)).toMatchObject({ status: 200 })
})
