import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { asOwner } from '#test/support/database.ts'
import { changeComplianceSettings } from '../../src/modules/compliance/public.ts'
import { setMemberActive } from '../../src/modules/workspaces/public.ts'
import { type CallScene, type CallScenes, person, startCallScenes } from './scene.ts'
import {
  begins,
  caller,
  callers,
  complete,
  ends,
  mailsTo,
  members,
  memberPhone,
  ours,
  ownerWith,
} from './twilio-calls.ts'

let scenes: CallScenes
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

const leg = { CallSid: members, ParentCallSid: callers, Direction: 'outbound-dial' }
const picksUp = { ...leg, CallStatus: 'in-progress' }
const talked = { ...leg, CallStatus: 'completed', CallDuration: '42' }
const recordingAt = (account: string) =>
  `https://api.twilio.com/2010-04-01/Accounts/${account}/Recordings/RE1`

/** The workspace's only call. */
async function theCall(): Promise<Record<string, unknown>> {
  const { data } = (await scene.agent.get('/calls')).body
  expect(data).toHaveLength(1)
  return data[0]
}

const settings = (patch: { record_calls: boolean }) => changeComplianceSettings(scene.workspace.ctx, patch)

const completed = async (id: unknown) =>
  (await scene.events(String(id))).filter((name) => name === 'call.completed').length

describe('an incoming call', () => {
  test('rings the contact’s owner and announces the recording', async () => {
    const memberId = await ownerWith(scene, memberPhone)
    const { status, body } = await scene.incoming('incoming', begins)
    expect(status).toBe(200)
    expect(body).toMatch(
      /^<Response><Say>This call is recorded\.<\/Say><Dial [^>]*record="record-from-answer-dual"[^>]*><Number [^>]*>\+13125550155<\/Number><\/Dial><\/Response>$/,
    )
    expect(await theCall()).toMatchObject({
      direction: 'INBOUND',
      handled_by: 'human',
      status: 'ringing',
      contact_id: scene.contactId,
      member_id: memberId,
      from: person,
      to: ours,
    })
  })

  test('announces and records nothing if recording is off', async () => {
    await ownerWith(scene, memberPhone)
    await settings({ record_calls: false })
    const { body } = await scene.incoming('incoming', begins)
    expect(body).toMatch(/^<Response><Dial /)
    expect(body).not.toMatch(/record|Say/)
  })

  test.for<[who: string, contact: string | null, from: string]>([
    ['the owner of the contact has none', null, person],
    ['no contact has the number', '+13125550155', '+13125550111'],
    ['the number is withheld', '+13125550155', 'Restricted'],
  ])('rings the first owner with a phone if %s', async ([, phone, From]) => {
    await ownerWith(scene, phone)
    const boss = await scene.workspace.member()
    await asOwner(
      scene.app.databaseUrl,
      "update members set phone = '+13125550156', role = 'owner' where id = $1",
      [boss.id],
    )
    const { body } = await scene.incoming('incoming', { ...begins, From })
    expect(body).toContain('>+13125550156</Number>')
    expect(await theCall()).toMatchObject({
      member_id: boss.id,
      contact_id: From === person ? scene.contactId : null,
      from: From === 'Restricted' ? null : From,
    })
  })

  test('takes a message at once if no one has a phone', async () => {
    await ownerWith(scene, null)
    const { body } = await scene.incoming('incoming', begins)
    expect(body).toMatch(
      /^<Response><Say>No one can take your call\.[^<]*<\/Say><Record [^>]*><\/Record><\/Response>$/,
    )
    expect(await theCall()).toMatchObject({ member_id: null })
  })

  test('is rejected if the number is not ours, and returns 403 if unsigned', async () => {
    expect((await scene.incoming('incoming', { ...begins, To: '+13125559999' })).body).toBe(
      '<Response><Reject/></Response>',
    )
    expect((await scene.agent.get('/calls')).body.data).toEqual([])
    const response = await fetch(`${scene.app.url}/callbacks/twilio/${scene.contactId}/voice/incoming`, {
      method: 'POST',
      body: new URLSearchParams(begins),
    })
    expect(response.status).toBe(403)
  })
})

describe('reports of an incoming call', () => {
  const parts: Record<string, [kind: string, form: Record<string, string>]> = {
    begins: ['incoming', begins],
    picksUp: ['leg', picksUp],
    talked: ['leg', talked],
    dialed: ['dialed', { ...caller, DialCallStatus: 'completed', DialCallDuration: '42' }],
    ends: ['ended', ends],
  }
  const orders = [
    ['begins', 'picksUp', 'talked', 'dialed', 'ends'],
    ['begins', 'begins', 'picksUp', 'picksUp', 'talked', 'talked', 'dialed', 'ends', 'ends'],
    ['ends', 'dialed', 'talked', 'picksUp', 'begins'],
    ['begins', 'ends', 'picksUp', 'talked'],
    ['begins', 'picksUp', 'ends', 'talked'],
    ['begins', 'dialed', 'ends'],
    ['ends', 'talked'],
  ]

  test.for(orders)('%s, %s, %s… yield one completed call and one event', async (...[order]) => {
    await ownerWith(scene, memberPhone)
    for (const name of order as string[]) {
      const [kind, form] = orNotFound(parts[name])
      expect((await scene.incoming(kind, form)).status).toBe(200)
    }
    const { id } = await theCall()
    await complete(scene, id)
    expect(await theCall()).toMatchObject({
      status: 'completed',
      duration_seconds: 42,
      disposition: null,
      contact_id: scene.contactId,
    })
    expect(await completed(id)).toBe(1)
  })

  test.for(['no-answer', 'busy', 'failed', 'canceled'])(
    'a member’s phone that was %s leads to voicemail; without a message the call is missed',
    async (DialCallStatus) => {
      await ownerWith(scene, memberPhone)
      await scene.incoming('incoming', begins)
      const { body } = await scene.incoming('dialed', { ...caller, DialCallStatus })
      expect(body).toContain('<Record ')
      await scene.incoming('ended', ends)
      const { id } = await theCall()
      await complete(scene, id)
      expect(await theCall()).toMatchObject({
        status: 'no_answer',
        disposition: 'no_answer',
        duration_seconds: 0,
      })
      expect(await completed(id)).toBe(1)
    },
  )

  test('a deactivated member is not rung, and the caller is asked for a message', async () => {
    const id = await ownerWith(scene, memberPhone)
    await scene.incoming('incoming', begins)
    await setMemberActive(scene.workspace.ctx, id, false)
    const { body } = await scene.incoming('incoming', begins)
    expect(body).toContain('<Record ')
    expect(body).not.toContain('+13125550155')
  })

  test('a call with a conversation ends without asking for a message', async () => {
    await ownerWith(scene, memberPhone)
    await scene.incoming('incoming', begins)
    const { body } = await scene.incoming('dialed', {
      ...caller,
      DialCallStatus: 'completed',
      DialCallDuration: '42',
    })
    expect(body).toBe('<Response><Hangup/></Response>')
  })

  test.for([
    ['before', true, true],
    ['after', false, true],
    ['before, where calls are not recorded,', true, false],
  ] as const)(
    'a message that arrives %s the end is kept as the recording',
    async ([, isBefore, isRecorded]) => {
      await ownerWith(scene, null)
      await settings({ record_calls: isRecorded })
      const { body } = await scene.incoming('incoming', begins)
      expect(body).toContain('<Record ')
      const [{ name: account } = { name: '' }] = await asOwner<{ name: string }>(
        scene.app.databaseUrl,
        "select account as name from connections where workspace_id = $1 and provider = 'twilio'",
        [scene.workspace.id],
      )
      const RecordingUrl = recordingAt(account)
      const left = () =>
        scene.incoming('voicemail', { CallSid: callers, RecordingUrl, RecordingStatus: 'completed' })
      if (isBefore) await left()
      await scene.incoming('ended', ends)
      if (!isBefore) await left()
      scenes.providers.script.respond = ({ path }) =>
        path.endsWith('/Recordings/RE1') ? [200, Buffer.from('RIFF\0\0\0\0WAVEfmt ')] : [404]
      const { id } = await theCall()
      await complete(scene, id)
      expect(await scene.read(String(id))).toMatchObject({
        status: 'no_answer',
        disposition: 'left_voicemail',
        recording_url: expect.any(String),
      })
      expect(await completed(id)).toBe(1)
    },
  )
})

test('the owner of the contact gets one email about a missed call', async () => {
  const memberId = await ownerWith(scene, null)
  await scene.incoming('incoming', begins)
  await scene.incoming('ended', ends)
  const { id } = await theCall()
  await complete(scene, id)
  await complete(scene, id)
  expect(await mailsTo(scene, memberId)).toMatchObject([{ subject: expect.stringContaining('Missed call') }])
})

test('an email to the owner does not repeat what the contact wrote as their name', async () => {
  const memberId = await ownerWith(scene, null)
  await scene.agent.patch(`/contacts/${scene.contactId}`, {
    first_name: 'claim your $500 at https://evil.example',
  })
  await scene.incoming('incoming', begins)
  await scene.incoming('ended', ends)
  await complete(scene, (await theCall()).id)
  const mails = await mailsTo(scene, memberId)
  expect(mails).toMatchObject([{ subject: 'Missed call from an unknown person' }])
  expect(JSON.stringify(mails)).not.toMatch(/evil|\$500/)
})
