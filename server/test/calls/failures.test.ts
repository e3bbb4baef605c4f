import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { idOf } from '#test/support/fixtures.ts'
import { ends } from '../../src/adapters/retell/call-ends.ts'
import { callOf, ended, placeWith, start, turns } from './retell-calls.ts'
import { type CallScene, type CallScenes, person, startCallScenes } from './scene.ts'
import { memberPhone, memberWith } from './twilio-calls.ts'

let scenes: CallScenes
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

/** The disconnection reasons in the types of Retell's own SDK. */
function listedReasons(): string[] {
  const types = createRequire(import.meta.url)
    .resolve('retell-sdk/resources/call.js')
    .replace(/js$/, 'd.ts')
  const [, list] = orNotFound(/disconnection_reason\?: ('.+?);/.exec(readFileSync(types, 'utf8')))
  return orNotFound(list)
    .split(' | ')
    .map((one) => one.replaceAll("'", ''))
}

test('exactly the disconnection reasons in Retell’s SDK are mapped', () => {
  const reasons = listedReasons()
  expect(reasons.length).toBeGreaterThan(30)
  expect(Object.keys(ends).toSorted()).toEqual(reasons.toSorted())
})

describe('an AI call that was not connected', () => {
  test.for([
    ['sip_routing_error', 'failed', 'provider_unavailable'],
    ['telephony_provider_permission_denied', 'failed', 'rejected'],
    ['no_valid_payment', 'failed', 'rejected'],
    ['registered_call_timeout', 'failed', 'provider_unavailable'],
    ['dial_failed', 'failed', 'recipient_unreachable'],
    ['invalid_destination', 'failed', 'recipient_invalid'],
    ['a_reason_of_tomorrow', 'failed', 'provider_unavailable'],
    ['user_hangup', 'no_answer', null],
    ['manual_stopped', 'cancelled', null],
  ] as const)('because of %s is %s, with the error %s', async ([reason, status, code]) => {
    const id = await placeWith(scenes, scene)
    const call = callOf(id, { call_status: 'not_connected', disconnection_reason: reason })
    await scene.retell(id, 'call_ended', call)
    const error = code && { code, carrier_code: reason, message: `Retell ended the call: ${reason}.` }
    expect(await scene.read(id)).toMatchObject({ status, error, answered_at: null, duration_seconds: 0 })
  })
})

test.for([
  ['is reported with what was said', { duration_ms: 42_000, transcript_object: turns('Hi.', 'Hello.') }, 42],
  ['follows the report that it was answered', {}, 60],
] as const)('an error that %s keeps the duration of the conversation', async ([, more, seconds]) => {
  const id = await placeWith(scenes, scene)
  if (!('duration_ms' in more)) await scene.retell(id, 'call_started', callOf(id, { call_status: 'ongoing' }))
  const end = { call_status: 'error', disconnection_reason: 'error_asr', end_timestamp: start + 60_000 }
  await scene.retell(id, 'call_ended', callOf(id, { ...end, ...more }))
  expect(await scene.read(id)).toMatchObject({
    status: 'failed',
    duration_seconds: seconds,
    answered_at: new Date(start).toISOString(),
    error: { code: 'provider_unavailable', carrier_code: 'error_asr' },
  })
})

test('a conversation stopped by hand is completed and clears an earlier error', async () => {
  const id = await placeWith(scenes, scene)
  const failed = { call_status: 'error', disconnection_reason: 'error_unknown' }
  await scene.retell(id, 'call_ended', callOf(id, failed))
  await scene.retell(id, 'call_ended', callOf(id, { ...ended, disconnection_reason: 'manual_stopped' }))
  expect(await scene.read(id)).toMatchObject({ status: 'completed', duration_seconds: 60, error: null })
})

test.for([
  ['404', 'recipient_invalid', 'bad_number'],
  ['503', 'recipient_unreachable', null],
] as const)(
  'a member’s call that fails with SIP code %s has the error %s',
  async ([code, error, disposition]) => {
    const member_id = await memberWith(scene, memberPhone)
    const sid = `CA${'0123456789abcdef'.repeat(2)}`
    scenes.providers.script.respond = () => [201, { sid, status: 'queued' }]
    const id = idOf(await scene.agent.post('/calls', { to: person, member_id }))
    await scene.advance(id)
    const leg = { ParentCallSid: sid, CallSid: 'CA2', CallStatus: 'failed', SipResponseCode: code }
    await scene.twilio(id, 'contact', leg)
    expect(await scene.read(id)).toMatchObject({
      status: 'failed',
      disposition,
      error: { code: error, carrier_code: code },
    })
  },
)
