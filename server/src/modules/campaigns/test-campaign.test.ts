import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import {
  act,
  app,
  create,
  getCampaign,
  leads,
  openCampaigns,
  rejected,
  sendingEmails,
  texting,
} from '#test/scenes/campaigns.ts'
import { changeMember, setMemberActive } from '../workspaces/public.ts'

openCampaigns()

const phone = '+13125557001'

/** Adds an admin with a phone, and a client that acts for them. */
async function admin() {
  const { ctx } = texting.workspace
  const { id, email } = await texting.workspace.member()
  await changeMember(ctx, id, { role: 'admin', phone })
  return { id, email, client: await texting.workspace.keyFor(id) }
}

const email = {
  channel: 'EMAIL',
  template: {
    subject: 'For {{contact.first_name|you}}',
    body: 'From {{owner.name|us}}, {{workspace.name}}.',
  },
}
const counted = async (id: string) => (await getCampaign(id)).stats.recipients

test('a test goes to the requester, filled for a contact of the audience, and is not counted', async () => {
  await sendingEmails()
  const me = await admin()
  const [ada] = await leads(1)
  await texting.agent.patch(`/contacts/${orNotFound(ada).id}`, {
    first_name: 'Ada',
    email: 'ada@lind.example',
  })
  await texting.agent.patch(`/contacts/${orNotFound(ada).id}`, { owner_id: me.id })
  const id = await create(email)
  const { status, body } = await me.client.post(`/campaigns/${id}/test`, {})
  expect([status, body]).toMatchObject([
    201,
    {
      to: me.email,
      contact_id: null,
      status: 'queued',
      source: 'campaign',
      campaign_id: null,
      subject: 'For Ada',
      body: 'From A member, Lantern & Oak.',
    },
  ])
  expect(await counted(id)).toBe(0)
  const { body: list } = await texting.agent.get('/messages')
  expect(list['data']).toHaveLength(1)
})

test('a test is filled for a given contact, or with fallbacks if the audience is empty', async () => {
  await sendingEmails()
  const me = await admin()
  const eda = (await texting.agent.post('/contacts', { first_name: 'Eda', source: 'Expo' })).body[
    'id'
  ] as string
  const audience = { field: 'contact.source', operator: 'eq', value: 'Nowhere' }
  const id = await create({ ...email, audience })
  const subject = async (body: object) =>
    (await me.client.post(`/campaigns/${id}/test`, body)).body['subject']
  expect(await subject({})).toBe('For you')
  expect(await subject({ example_contact_id: eda })).toBe('For Eda')
  const other = await texting.workspace.member()
  const { body } = await me.client.post(`/campaigns/${id}/test`, { member_id: other.id })
  expect(body).toMatchObject({ to: other.email })
})

test('a test text needs the consent or a recent text of the member, like any message', async () => {
  await leads(1)
  const me = await admin()
  const id = await create()
  const tried = async () => {
    const { status, body } = await me.client.post(`/campaigns/${id}/test`, {})
    return [status, body['error']?.reason ?? body['to']]
  }
  expect(await tried()).toEqual([422, 'consent_missing'])
  await texting.text(phone, 'Send me the test')
  expect(await tried()).toEqual([201, phone])
  expect(await counted(id)).toBe(0)
  // 10 pm in Chicago, twelve hours after the text.
  app.clock.set('2026-03-03T04:00:00.000Z')
  expect(await tried()).toEqual([422, 'quiet_hours'])
  app.clock.set('2026-03-03T16:30:00.000Z')
  expect(await tried()).toEqual([422, 'consent_missing'])
  await texting.text(phone, 'STOP')
  expect(await tried()).toEqual([422, 'opted_out'])
})

test('an invalid test request is rejected, and nothing is sent', async () => {
  const me = await admin()
  const id = await create()
  const silent = await texting.workspace.member()
  const gone = await texting.workspace.member()
  await setMemberActive(texting.workspace.ctx, gone.id, false)
  const writer = await texting.workspace.credential('automations:write')
  const none = 'cmi8h2k5p0009y7w2d5g8j1m4'
  const cases: [typeof writer, object, unknown[]][] = [
    [texting.agent, {}, [400, 'validation_failed']],
    [me.client, { member_id: silent.id }, [400, 'validation_failed']],
    [me.client, { member_id: gone.id }, [409, 'member_inactive']],
    [me.client, { member_id: none }, [404, 'not_found']],
    [me.client, { example_contact_id: none }, [404, 'not_found']],
    [writer, { member_id: me.id }, [403, 'insufficient_scope']],
  ]
  for (const [client, body, expected] of cases)
    expect(await rejected(client.post(`/campaigns/${id}/test`, body)), JSON.stringify(body)).toEqual(expected)
  await act(id, 'cancel')
  expect((await texting.agent.get('/messages')).body['data']).toEqual([])
})
