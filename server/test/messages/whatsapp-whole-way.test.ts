import { expect, test } from 'vitest'
import { agent, carrier, connectWhatsApp, openWholeWay } from '#test/scenes/whole-way.ts'
import { eventually } from '#test/support/eventually.ts'

const person = '+13125550177'
openWholeWay('whatsapp_whole_way')

/** Sends a message, and waits until it has this status. */
async function send(message: object, status: string) {
  const { body } = await agent.post('/messages', { channel: 'whatsapp', to: person, ...message })
  expect(body).toMatchObject({ channel: 'WHATSAPP', status: 'queued' })
  const read = async () => (await agent.get(`/messages/${body['id']}`)).body
  await eventually(async () => (await read())['status'] === status)
  return read()
}

test('a template is sent, delivered, and read, and a reply opens the window for free-form text', async () => {
  await connectWhatsApp()
  const template = { name: 'viewing_reminder', language: 'en_US', variables: ['Saturday'] }
  const read = await send({ template }, 'read')
  expect(read).toMatchObject({ provider_message_id: expect.stringMatching(/^wamid\./) })
  const handset = `${carrier.phoneUrl}/${person}`
  expect(await (await fetch(`${handset}/messages`)).text()).toContain('[viewing_reminder] · Saturday')

  const body = new URLSearchParams({ to: `whatsapp:${String(read['from'])}`, body: 'Can we make it 3 pm?' })
  expect((await fetch(handset, { method: 'POST', body, redirect: 'manual' })).status).toBe(303)
  const received = async () => (await agent.get('/messages?direction=INBOUND')).body['data']
  await eventually(async () => (await received()).length === 1)
  expect(await received()).toMatchObject([
    { channel: 'WHATSAPP', from: person, to: read['from'], body: 'Can we make it 3 pm?', status: 'received' },
  ])
  await send({ body: 'Yes, see you at 3.', purpose: 'reply' }, 'read')
})
