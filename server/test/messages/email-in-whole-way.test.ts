import { expect, test } from 'vitest'
import { agent, app, carrier, openWholeWay } from '#test/scenes/whole-way.ts'
import { eventually } from '#test/support/eventually.ts'

openWholeWay('email_in_whole_way')

const draft = (to: string) => ({ channel: 'email', to, subject: 'Your viewing', body: 'See you at 2 pm.' })

async function send(to: string) {
  const { status, body } = await agent.post('/messages', draft(to))
  expect([status, body]).toMatchObject([201, { status: 'queued' }])
  const read = async () => (await agent.get(`/messages/${body['id']}`)).body
  await eventually(async () => (await read())['status'] !== 'queued')
  await eventually(async () => (await read())['status'] !== 'sending')
  return read
}

/** Advances the clock until the mailbox has been read and `holds` returns true. */
const advancing = (holds: () => Promise<boolean>) =>
  eventually(async () => {
    app.clock.advance(5_000)
    return holds()
  })

const inbound = async (from: string) => {
  const { data } = (await agent.get('/messages?direction=INBOUND')).body
  return data.filter((one: { from: string }) => one.from === from)
}

const write = (from: string, body: string) =>
  fetch(`${carrier.phoneUrl}/${from}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ to: 'office@gable.example', body }),
  })

test('a person’s reply to an email continues the conversation', async () => {
  const to = 'sam@reyes.example'
  const sent = await (await send(to))()
  expect((await write(to, 'Perfect, señor. 🏡')).status).toBe(303)
  await advancing(async () => (await inbound(to)).length === 1)
  expect(await inbound(to)).toMatchObject([
    {
      body: 'Perfect, señor. 🏡',
      subject: 'Re: Your viewing',
      conversation_id: sent['conversation_id'],
      reply_to_message_id: sent['id'],
      automatic: false,
    },
  ])
  expect(await (await fetch(`${carrier.phoneUrl}/${to}/messages`)).text()).toContain('Perfect, señor.')
})

test('emails are verified by the mail server, but not those in the name of forged@', async () => {
  const [unasked, forged] = ['bea@lind.example', 'forged@lind.example']
  await send(forged)
  for (const one of [unasked, forged]) {
    await write(one, 'Hello')
    await advancing(async () => (await inbound(one)).length === 1)
  }
  expect(await inbound(unasked)).toMatchObject([{ sender_verified: true }])
  expect(await inbound(forged)).toMatchObject([{ sender_verified: false, reply_to_message_id: null }])
  const { body } = await agent.get('/connections')
  const email = body.data.filter(({ provider }: { provider: string }) => provider === 'email')
  expect(email).toMatchObject([{ authentication_missing_at: null }])
})

test('a person who writes "unsubscribe" gets no further email', async () => {
  const to = 'ana@cruz.example'
  await send(to)
  await write(to, 'Please unsubscribe me.')
  await advancing(async () => (await inbound(to)).length === 1)
  const { status, body } = await agent.post('/messages', draft(to))
  expect([status, body['error'].reason]).toEqual([422, 'opted_out'])
})

test.for([
  ['gone', 'undelivered', 'suppressed_hard_bounce'],
  ['overquota', 'undelivered', undefined],
  ['complains', 'sent', 'suppressed_complaint'],
] as const)(
  'an email to %s@ ends as %s; the next one is blocked for: %s',
  async ([local, status, reason]) => {
    const to = `${local}@mail.example`
    const read = await send(to)
    const preflight = async () =>
      (await agent.post('/messages/preflight', draft(to))).body['reason'] ?? undefined
    await advancing(async () => (await read())['status'] === status && (await preflight()) === reason)
    expect(await inbound(to)).toEqual([])
  },
)

test('an out-of-office reply (away@) is recorded but opens no reply window', async () => {
  const to = 'away@mail.example'
  const sent = await (await send(to))()
  await advancing(async () => (await inbound(to)).length === 1)
  expect(await inbound(to)).toMatchObject([
    {
      automatic: true,
      conversation_id: sent['conversation_id'],
      body: expect.stringContaining('out of the office'),
    },
  ])
  const { body } = await agent.get(`/conversations/${sent['conversation_id']}`)
  expect(body['last_inbound_at']).toBeNull()
})
