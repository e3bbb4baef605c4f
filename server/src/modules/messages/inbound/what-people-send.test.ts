import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { app, openTexting, suppressions, texting } from '#test/scenes/messaging.ts'
import { createConnection, createSender } from '../../senders/public.ts'

const person = '+13125550177'
openTexting()

const received = async () => (await texting.agent.get('/messages?direction=INBOUND')).body['data']
const asksFor = async () => (await texting.events('message.received')).map((one) => one['asks_for'])

test.for([
  ['Liked “See you on Saturday. Reply STOP to opt out.”', '👍', false],
  ['Reacted ❤️ to “See you on Saturday. Reply STOP to opt out.”', '❤️', false],
  ['Removed a heart from “See you on Saturday. Reply STOP to opt out.”', '❤️', true],
  ['\u200b😂\u200b to “\u200bReply STOP to opt out\u200b”', '😂', false],
  ['Le encantó “Responda STOP para cancelar”', '❤️', false],
  ['Curtiu “Responda PARAR”', '👍', false],
] as const)('a reaction is shown as one and asks for nothing: %s', async ([text, emoji, removed]) => {
  const contact = await texting.lead(person)
  await texting.text(person, text)
  expect(await received()).toMatchObject([{ body: text, reaction: { emoji, removed } }])
  expect(await texting.events('message.received')).toMatchObject([{ asks_for: null, reaction: emoji }])
  expect(await suppressions()).toEqual([])
  const { data } = (await texting.agent.get(`/contacts/${contact}/events`)).body
  expect(data.map(({ title }: { title: string }) => title)).toContain(`Text received: reacted ${emoji}`)
})

test('what quotes our text to the person asks for nothing, and a word of their own does', async () => {
  await texting.lead(person)
  const ours = 'The open house at Alder Court is on Saturday at noon. Reply STOP to end these messages.'
  await texting.send(person, ours)
  await texting.begin()
  await texting.text(person, `Great! ${ours}`)
  await texting.text(person, ours)
  expect([await asksFor(), await suppressions()]).toEqual([[null, null], []])
  await texting.text(person, `STOP\n\n${ours}`)
  expect(await suppressions()).toMatchObject([{ kind: 'opted_out' }])
})

test('what quotes a text to another person is the author’s own', async () => {
  await texting.lead('+13125550178')
  const ours = 'To get no more, say: please stop texting me now.'
  await texting.send('+13125550178', ours)
  await texting.begin()
  await texting.text(person, 'please stop texting me now')
  expect(await suppressions()).toMatchObject([{ kind: 'opted_out' }])
})

test('what quotes a text that never left is the author’s own', async () => {
  await texting.lead(person)
  const id = await texting.send(person, 'To get no more, say: please stop texting me now.')
  await texting.agent.post(`/messages/${id}/cancel`)
  await texting.text(person, 'please stop texting me now')
  expect(await suppressions()).toMatchObject([{ kind: 'opted_out' }])
})

test.for([
  ['STOP', 'Adios', 'opt_out'],
  ['STOP', '', 'opt_out'],
  ['HELP', 'hola', 'help'],
  ['START', 'hello', 'opt_in'],
] as const)(
  'the OptOutType %s is obeyed whatever the words, such as %j',
  async ([OptOutType, body, action]) => {
    await texting.text(person, body, { OptOutType })
    expect(await asksFor()).toEqual([action])
    expect(await suppressions()).toHaveLength(action === 'opt_out' ? 1 : 0)
  },
)

test('a picture without words is recorded as [image]', async () => {
  await texting.text(person, '', {
    NumMedia: '1',
    MediaContentType0: 'image/jpeg',
    MediaUrl0: 'https://api.twilio.com/x',
  })
  expect(await received()).toMatchObject([{ body: '[image]', reaction: null }])
})

test('a question about STOP goes to a person', async () => {
  const contact = await texting.lead(person)
  await texting.text(person, 'What does reply STOP to opt out mean?')
  expect([await asksFor(), await suppressions()]).toEqual([['review'], []])
  expect((await texting.agent.get(`/contacts/${contact}`)).body['ai_auto_response']).toBe('paused')
})

const ourNumber = '+13125550199'
const whatsAppSecret = 'token secret'

async function startWhatsApp() {
  const { ctx } = texting.workspace
  const connection = await createConnection(ctx, {
    provider: 'whatsapp',
    name: 'WhatsApp',
    account: `W${texting.workspace.id}`,
    simulated: true,
    secret: whatsAppSecret,
  })
  await createSender(ctx, {
    connection_id: connection.id,
    kind: 'whatsapp',
    address: ourNumber,
    pace: 80,
    registration: {},
  })
  let count = 0
  const post = async (field: string, value: object) => {
    const change = { field, value: { metadata: { display_phone_number: ourNumber.slice(1) }, ...value } }
    const body = JSON.stringify({ entry: [{ changes: [change] }] })
    const signature = createHmac('sha256', whatsAppSecret.split(' ')[0] ?? '')
      .update(body)
      .digest('hex')
    const response = await fetch(`${app.url}/callbacks/whatsapp/${connection.id}/webhook`, {
      method: 'POST',
      headers: { 'x-hub-signature-256': `sha256=${signature}` },
      body,
    })
    expect(response.status).toBe(200)
  }
  const at = () => String(Math.floor(app.clock.now().getTime() / 1000))
  return {
    message: (from: string, more: object) =>
      post('messages', { messages: [{ id: `wamid.${count++}`, from, timestamp: at(), ...more }] }),
    prefers: (wa_id: string, value: string) =>
      post('user_preferences', {
        user_preferences: [{ wa_id, category: 'marketing_messages', value, timestamp: Number(at()) }],
      }),
  }
}

const button = (text: string) => ({ type: 'button', button: { payload: text, text } })

test.for([
  ['Stop promotions', 'opt_out'],
  ['Stop promos', 'opt_out'],
  ['STOP', 'opt_out'],
  ['Unsubscribe', 'opt_out'],
  ['Detener promociones', 'opt_out'],
  ['Cancelar suscripción', 'opt_out'],
  ['Cancel', null],
  ['Not interested', 'review'],
  ['Confirm', null],
] as const)('the WhatsApp button %j asks for %s', async ([text, action]) => {
  const whatsApp = await startWhatsApp()
  await whatsApp.message(person.slice(1), button(text))
  expect(await asksFor()).toEqual([action])
})

test('who stops marketing in WhatsApp is opted out there until they resume it', async () => {
  const whatsApp = await startWhatsApp()
  await whatsApp.prefers(person.slice(1), 'stop')
  expect(await suppressions()).toMatchObject([{ kind: 'opted_out', channels: ['whatsapp'], lifted: false }])
  app.clock.advance(60_000)
  await whatsApp.prefers(person.slice(1), 'resume')
  expect(await suppressions()).toMatchObject([{ kind: 'opted_out', channels: ['whatsapp'], lifted: true }])
})

test('to resume marketing does not lift a STOP', async () => {
  const whatsApp = await startWhatsApp()
  await whatsApp.prefers(person.slice(1), 'stop')
  await texting.text(person, 'STOP')
  app.clock.advance(60_000)
  await whatsApp.prefers(person.slice(1), 'resume')
  expect((await suppressions()).filter(({ lifted }) => !lifted)).toMatchObject([
    { kind: 'opted_out', channels: ['sms', 'voice_auto', 'whatsapp'] },
  ])
})

test.for([
  ['5215541637201', '+525541637201'],
  ['5215541637145', '+525541637145'],
  ['5491155551234', '+541155551234'],
  ['541155551235', '+5491155551235'],
  ['553188887777', '+5531988887777'],
  ['5541988887778', '+5541988887778'],
  ['22997123456', '+2290197123456'],
  ['22507123456', '+2250707123456'],
] as const)(
  'WhatsApp’s %s is the contact with %s, and their STOP holds for every form',
  async ([from, phone]) => {
    const whatsApp = await startWhatsApp()
    const contact = (await texting.agent.post('/contacts', { first_name: 'Ana', phone })).body['id']
    await whatsApp.message(from, { type: 'text', text: { body: 'Hola' } })
    expect(await received()).toMatchObject([{ contact_id: contact, from: phone }])
    await whatsApp.message(from, { type: 'text', text: { body: 'STOP' } })
    const blocked = await texting.agent.post('/messages', { channel: 'sms', to: phone, body: 'But' })
    expect(blocked.body['error'].reasons).toContain('opted_out')
    expect(await suppressions()).toHaveLength(2)
  },
)
