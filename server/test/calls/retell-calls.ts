import { idOf } from '#test/support/fixtures.ts'
import { type CallScene, type CallScenes, person } from './scene.ts'

export const start = Date.parse('2026-03-02T15:00:05.000Z')

/** Places a call through Retell and sets the clock to a second after its end. */
export async function placeWith(
  { providers }: Pick<CallScenes, 'providers'>,
  scene: CallScene,
): Promise<string> {
  providers.script.respond = ({ path }) =>
    path === '/v2/create-phone-call' ? [201, { call_id: 'call_1', call_status: 'registered' }] : [404]
  const id = idOf(await scene.agent.post('/calls', { to: person }))
  await scene.advance(id)
  // One second after the end of the call.
  scene.app.clock.set('2026-03-02T15:01:06.000Z')
  return id
}

export const turns = (...said: string[]) =>
  said.map((content, n) => ({
    role: n % 2 === 0 ? 'agent' : 'user',
    content,
    words: [{ start: n, end: n + 0.9 }],
  }))

export const callOf = (id: string | null, more: object = {}) => ({
  call_id: 'call_1',
  direction: 'outbound',
  from_number: '+13125550188',
  to_number: person,
  start_timestamp: start,
  metadata: id === null ? {} : { gable_call_id: id },
  ...more,
})

export const ended = {
  call_status: 'ended',
  disconnection_reason: 'user_hangup',
  end_timestamp: start + 60_000,
  duration_ms: 60_000,
}
const analysis = {
  call_analysis: {
    call_summary: 'Wants a showing.',
    user_sentiment: 'Positive',
    custom_analysis_data: { disposition: 'appointment_set', bedrooms: 3 },
  },
}
export const events = (id: string | null, said = turns('Hi, I am an AI.', 'Hello.')) =>
  [
    ['call_started', callOf(id, { call_status: 'ongoing' })],
    ['call_ended', callOf(id, { ...ended, transcript_object: said })],
    ['call_analyzed', callOf(id, { ...ended, ...analysis, transcript_object: said })],
  ] as const
