import { expect, test } from 'vitest'
import { agent, app, carrier, openWholeWay } from '#test/scenes/whole-way.ts'
import { asOwner } from '#test/support/database.ts'
import { eventually } from '#test/support/eventually.ts'
import { eventsOfMessage } from '#test/support/journal.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'

openWholeWay('email_whole_way')

const short = { body: 'See you at 2 pm.' }

async function send(to: string, more: object = short): Promise<string> {
  const { status, body } = await agent.post('/messages', {
    channel: 'email',
    to,
    subject: 'Your viewing',
    ...more,
  })
  expect([status, body]).toMatchObject([201, { channel: 'EMAIL', status: 'queued' }])
  return body['id']
}

const read = async (id: string) => (await agent.get(`/messages/${id}`)).body

async function until(id: string, status: string) {
  await eventually(async () => (await read(id))['status'] === status)
  return read(id)
}

const handset = async (to: string) => (await fetch(`${carrier.phoneUrl}/${to}/messages`)).text()

const eventsOf = (id: string) => eventsOfMessage(app.databaseUrl, id)

test('an email arrives, with its footer, and is sent once', async () => {
  const id = await send('sam@reyes.example')
  expect(await until(id, 'sent')).toMatchObject({
    from: 'office@gable.example',
    body: 'See you at 2 pm.',
    provider_message_id: `<${id}@gable.example>`,
  })
  expect(await eventsOf(id)).toEqual(['message.sent'])
  const page = await handset('sam@reyes.example')
  expect(page).toContain('Your viewing')
  expect(page).toMatch(/See you at 2 pm\.[^]*48 Alder Court, Chicago, IL 60614[^]*Unsubscribe: <a href="http/)
  expect(await (await fetch(`${carrier.phoneUrl}?number=Sam@Reyes.example`)).text()).toContain(
    'sam@reyes.example',
  )
})

test('the unsubscribe link in an email opts the recipient out', async () => {
  const to = 'lin@reyes.example'
  await until(await send(to, { html: '<p>See <b>you</b>.</p>' }), 'sent')
  const page = await handset(to)
  expect(page).toContain('See you.')
  const [, url = ''] = /<a href="(http[^"]+unsubscribe[^"]+)"/.exec(page) ?? []
  const body = 'List-Unsubscribe=One-Click'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200)
  const again = await agent.post('/messages', { channel: 'email', to, subject: 'Hi', body: 'Hello' })
  expect(again.body['error']).toMatchObject({ reason: 'opted_out' })
})

test.for([
  ['bounce', 'recipient_invalid', '5.1.1'],
  ['full', 'rejected', '5.2.2'],
  ['spam', 'rejected', '5.7.1'],
])('an email to %s@ fails as %s', async ([local, code, carrier_code]) => {
  const id = await send(`${local}@reyes.example`)
  expect(await until(id, 'failed')).toMatchObject({ error: { code, carrier_code } })
  expect(await eventsOf(id)).toEqual(['message.failed'])
})

test('a greylisted email arrives with the next attempt', async () => {
  const to = 'greylisted@reyes.example'
  const id = await send(to)
  const attempts = async () =>
    (
      await asOwner(
        app.databaseUrl,
        'select from message_attempts where message_id = $1 and ended_at is not null',
        [id],
      )
    ).length
  await eventually(async () => (await attempts()) === 1)
  expect(await handset(to)).not.toContain('Your viewing')
  app.clock.advance(5_000)
  await until(id, 'sent')
  expect(await handset(to)).toContain('Your viewing')
})

test('an email whose response was lost is resent once and arrives as one email', async () => {
  const to = 'lost@reyes.example'
  const id = await send(to)
  await until(id, 'unknown')
  app.clock.advance(30_000)
  await until(id, 'sent')
  expect((await handset(to)).match(/<b>Your viewing/g)).toHaveLength(1)
  expect(await eventsOf(id)).toEqual(['message.sent'])
})

test('marketing email is blocked without a postal address', async () => {
  const other = await app.workspace()
  await readyToSend(other)
  await other.ctx.transaction(async (tx) => {
    await tx.run`update compliance_settings set postal_address = null where workspace_id = ${tx.workspaceId}`
  })
  const client = await other.credential()
  const { status, body } = await client.post('/messages', {
    channel: 'email',
    to: 'sam@reyes.example',
    subject: 'Hi',
    body: 'Hello',
  })
  expect([status, body]).toMatchObject([422, { error: { reason: 'email_postal_address_missing' } }])
})
