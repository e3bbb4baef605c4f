import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { suppress } from '../compliance/public.ts'
import { createMember } from '../workspaces/public.ts'

let app: TestApp
let place: TestWorkspace
let office: Client
let masked: Client

beforeAll(async () => {
  app = await testApp()
  place = await app.workspace()
  office = await place.credential()
  masked = await place.credential('contacts:read', 'messages:send', 'calls:write')
  await readyToSend(place)
})
afterAll(() => app[Symbol.asyncDispose]())

interface Channel {
  channel: string
  to: string | null
  [member: string]: unknown
}
const channelsOf = async (id: unknown, reader = office): Promise<Channel[]> =>
  (await reader.get(`/contacts/${id}/reachability`)).body['channels']

let people = 0
/** A contact in Chicago with a number and an address of their own. */
async function person(more: object = {}) {
  people++
  const phone = `+1312555${String(200 + people).padStart(4, '0')}`
  const { body } = await office.post('/contacts', { phone, email: `p${people}@reyes.example`, ...more })
  return body as Record<string, unknown> & { id: string; phone: string | null; email: string | null }
}

const consent = { captured_at: '2026-03-01T15:00:00Z', source_url: 'https://lantern.example/a' }

/** What may be known of a person, made after the contact. */
const facts: Record<string, (contact: { phone: string | null; email: string | null }) => Promise<unknown>> = {
  nothing: async () => undefined,
  'consent with a lead': ({ phone, email }) =>
    office.post('/leads', { phone, email, source: 'Website', skip_routing: true, consent }),
  'an opt-out of the number': ({ phone }) =>
    suppress(place.ctx, [
      { subject: { type: 'phone', value: phone as never }, kind: 'opted_out', source: 'operator' },
    ]),
  'an opt-out of the address': ({ email }) =>
    suppress(place.ctx, [
      { subject: { type: 'email', value: email as never }, kind: 'opted_out', source: 'operator' },
    ]),
}

test.for(['2026-03-02T15:00:00.000Z', '2026-03-02T05:00:00.000Z'])(
  'at %s, each channel says what a preflight says',
  async (now) => {
    app.clock.set(now)
    const said = new Set<unknown>()
    for (const learn of Object.values(facts)) {
      const contact = await person()
      await learn(contact)
      for (const reader of [office, masked]) {
        const shown = (await reader.get(`/contacts/${contact.id}`)).body
        const channels = await channelsOf(contact.id, reader)
        expect(channels.map(({ channel }) => channel)).toEqual(['sms', 'whatsapp', 'email', 'voice'])
        for (const { channel, to, consent: _, message: __, ...verdict } of channels) {
          expect(to).toBe(channel === 'email' ? shown['email'] : shown['phone'])
          const asked = channel === 'voice' ? '/calls/preflight' : '/messages/preflight'
          const member_id = channel === 'voice' ? { member_id: (await caller()).id } : { channel }
          const { status, body } = await reader.post(asked, { ...member_id, to, contact_id: contact.id })
          expect(status, JSON.stringify(body)).toBe(200)
          expect(body, `${channel} ${to}`).toMatchObject(verdict)
          said.add(verdict['reason'])
        }
      }
    }
    expect([...said]).toEqual(expect.arrayContaining(['consent_missing', 'opted_out']))
    expect(said.size).toBeGreaterThan(2)
  },
)

let calling: Promise<{ id: string }> | undefined
const caller = () =>
  (calling ??= createMember(place.ctx, {
    name: 'Ada Reyes',
    email: 'ada@gable.example',
    phone: '+13125550199',
    role: 'agent',
  }))

test('the consent is that of the channel', async () => {
  app.clock.set('2026-03-02T15:00:00.000Z')
  const contact = await person()
  const before = await channelsOf(contact.id)
  await facts['consent with a lead']?.(contact)
  const after = await channelsOf(contact.id)
  const given = (channels: Channel[]) => channels.find(({ channel }) => channel === 'sms')?.['consent']
  expect([given(before), given(after)]).toEqual([false, true])
})

test('a contact without a number or address cannot be reached there, and an erased one nowhere', async () => {
  const contact = await person({ phone: null })
  const [sms, whatsapp, email, voice] = await channelsOf(contact.id)
  const none = { to: null, allowed: false, message: 'The contact has no phone number.', consent: null }
  expect([sms, whatsapp, voice]).toEqual([
    expect.objectContaining({ ...none, channel: 'sms' }),
    expect.objectContaining({ ...none, channel: 'whatsapp' }),
    expect.objectContaining({ ...none, channel: 'voice' }),
  ])
  expect(email).toMatchObject({ to: contact.email })
  await office.delete(`/contacts/${contact.id}`)
  expect((await channelsOf(contact.id)).map(({ to, allowed }) => [to, allowed])).toEqual(
    Array.from({ length: 4 }, () => [null, false]),
  )
})

test('a channel that the credential may not use is left out, and a phone that is no number is masked', async () => {
  const contact = await person({ phone: 'wife 555-012' })
  const only = async (...scopes: string[]) =>
    (await channelsOf(contact.id, await place.credential(...scopes))).map(({ channel }) => channel)
  expect(await only('contacts:read')).toEqual([])
  expect(await only('contacts:read', 'messages:send')).toEqual(['sms', 'whatsapp', 'email'])
  expect(await only('contacts:read', 'calls:write')).toEqual(['voice'])
  const { phone } = (await masked.get(`/contacts/${contact.id}`)).body
  const shown = (await channelsOf(contact.id, masked)).filter(({ channel }) => channel !== 'email')
  expect(shown.map(({ to }) => to)).toEqual([phone, phone, phone])
})

test('a double shows an agent nothing of the holder whom they do not see', async () => {
  app.clock.set('2026-03-02T15:00:00.000Z')
  const holder = await person({ timezone: 'Pacific/Honolulu' })
  const agent = await createMember(place.ctx, { name: 'Bo Lane', email: 'bo@gable.example', role: 'agent' })
  const reader = await place.keyFor(agent.id)
  const { body: double } = await reader.post('/contacts', { phone: holder.phone })
  const [sms] = await channelsOf(double['id'], reader)
  expect(JSON.stringify(sms?.['zones'])).not.toContain('Honolulu')
  expect((await reader.get(`/contacts/${holder.id}/reachability`)).status).toBe(404)
})
