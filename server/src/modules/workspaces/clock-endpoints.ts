import { Type } from 'typebox'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { Timestamp } from '#kernel/schemas.ts'
import { readClock, turnClock } from './turn-clock.ts'

const shared = {
  scope: 'settings:manage',
  tag: 'Workspace',
} as const

const TestClock = Type.Object(
  {
    now: Type.String({ format: 'date-time', description: "The workspace's time." }),
    ahead_seconds: Type.Number({ description: 'How far it is ahead of the real time.' }),
  },
  { title: 'TestClock', examples: [{ now: '2026-11-24T18:00:00.000Z', ahead_seconds: 7200 }] },
)

export const getTestClock = endpoint('GET /test-clock', {
  ...shared,
  summary: 'Read the test clock',
  description: 'Returns the time in the workspace. Without test mode, it is the real time.',
  responses: { 200: TestClock },
  handle: async (ctx) => ok(readClock(ctx)),
})

export const postTestClock = endpoint('POST /test-clock', {
  ...shared,
  turnsClock: true,
  summary: 'Turn the test clock forward',
  description:
    'Moves the time in a workspace in test mode forward, by at most 366 days a call and ten years in all. Messages that wait for a quiet hour to end, waits of automations, offers, tasks, and retries become due as if the time had passed; what is due starts within seconds, and periodic work within a minute. Credentials, rate limits, idempotency keys, and retention keep the real time. Send either `advance` or `now`.',
  body: Type.Object(
    {
      advance: Type.Optional(
        Type.String({
          pattern: '^P(?=\\d|T\\d)(\\d{1,4}W)?(\\d{1,4}D)?(T(?=\\d)(\\d{1,6}H)?(\\d{1,8}M)?(\\d{1,9}S)?)?$',
          maxLength: 40,
          description: 'An ISO 8601 duration of weeks, days, hours, minutes, and seconds.',
          examples: ['PT2H'],
        }),
      ),
      now: Type.Optional(Timestamp),
    },
    { title: 'TestClockTurn', additionalProperties: false, examples: [{ advance: 'PT2H' }] },
  ),
  responses: { 200: TestClock },
  errors: { 409: '`not_a_test_workspace`: the workspace is not in test mode.' },
  handle: async (ctx, { body }) => ok(await turnClock(ctx, body)),
})
