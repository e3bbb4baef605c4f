import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { readMails } from '../../mail/public.ts'
import { sendInvitations } from './send-invitations.ts'

let app: TestApp
let workspace: TestWorkspace
let agent: Client

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace('Lantern & Oak')
  agent = await workspace.credential()
  await readyToSend(workspace)
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => app.clock.advance(120_000))

const time = { starts_at: '2026-03-09T16:00:00.000Z', ends_at: '2026-03-09T16:45:00.000Z' }
const book = async (draft: object): Promise<string> =>
  idOf(
    await agent.post('/appointments', { ...time, title: 'Showing', timezone: 'America/Chicago', ...draft }),
  )
const run = (id: string) => sendInvitations(workspace.ctx, id)

interface Sent {
  to: string
  subject: string
  body: string
  status: string
  message_class: string
  calendar: string
}

/** Messages to these addresses, oldest first. */
const messagesTo = (...addresses: string[]) =>
  asOwner<Sent>(
    app.databaseUrl,
    `select "to", subject, body, status, message_class, calendar from messages
     where workspace_id = $1 and "to" = any ($2) order by id`,
    [workspace.id, addresses],
  )

const line = (file: string, name: string) =>
  file
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .filter((one) => one.split(/[:;]/, 1)[0] === name)
    .map((one) => one.slice(one.lastIndexOf(name === 'ORGANIZER' || name === 'ATTENDEE' ? ':m' : ':') + 1))

const signature = ({ calendar }: Pick<Sent, 'calendar'>) =>
  ['METHOD', 'UID', 'SEQUENCE'].map((name) => line(calendar, name).join()).join(' ')

test('attendees are each invited once and separately, and get changes and cancellations', async () => {
  const host = await workspace.member('Hana Ito')
  const member = await workspace.member('Bo Lind')
  const contact_id = idOf(await agent.post('/contacts', { first_name: 'Ada', email: 'ada@reyes.example' }))
  const attendees = [{ member_id: member.id }, { name: 'Cy', email: 'Cy@lind.example' }, { name: 'Dee' }]
  const id = await book({ contact_id, host_id: host.id, attendees, invite: true, location: '12 Elm Street' })
  await run(id)
  await run(id)
  const [first, outside, ...more] = await messagesTo('ada@reyes.example', 'cy@lind.example')
  expect(more).toEqual([])
  expect(first).toMatchObject({ status: 'queued', message_class: 'transactional' })
  expect(first?.subject).toMatch(/^Invitation: Showing, Mar 9, 2026, 11:00\sAM$/)
  expect(first?.body).toMatch(
    /^Hana Ito invites you.*\n\nShowing\nMonday, March 9, 2026.*11:00\s.*11:45\sAM CDT\n12 Elm Street$/,
  )
  expect(first && signature(first)).toBe(`REQUEST ${id} 0`)
  for (const one of [first, outside]) {
    expect(line(one?.calendar ?? '', 'ATTENDEE')).toEqual([expect.stringMatching(one?.to ?? '')])
    expect(line(one?.calendar ?? '', 'ORGANIZER')).toEqual([expect.stringMatching('office@gable.example')])
    expect(one?.calendar).toContain('DTSTART:20260309T160000Z')
  }
  const mails = async () =>
    (await readMails(app.runtime))
      .flatMap(({ mail }) => (mail?.to === member.email ? [mail] : []))
      .toReversed()
  expect((await mails()).map(({ calendar = '' }) => signature({ calendar }))).toEqual([`REQUEST ${id} 0`])

  await agent.patch(`/appointments/${id}`, {
    starts_at: '2026-03-09T17:00:00Z',
    ends_at: '2026-03-09T17:45:00Z',
  })
  await agent.patch(`/appointments/${id}`, { attendees: attendees.slice(0, 1) })
  await run(id)
  await agent.patch(`/appointments/${id}`, { outcome: 'cancelled' })
  await run(id)
  const signatures = async (address: string) => (await messagesTo(address)).map(signature)
  expect(await signatures('ada@reyes.example')).toEqual([
    `REQUEST ${id} 0`,
    `REQUEST ${id} 1`,
    `CANCEL ${id} 2`,
  ])
  expect(await signatures('cy@lind.example')).toEqual([`REQUEST ${id} 0`, `CANCEL ${id} 1`])
  expect((await mails()).map(({ subject }) => subject.split(':', 1)[0])).toEqual([
    'Invitation',
    'Updated invitation',
    'Canceled',
  ])
})

test('an invitation omits the part of a name that has a link', async () => {
  const contact = {
    first_name: 'claim https://prize.example',
    last_name: 'Reyes',
    email: 'prize@reyes.example',
  }
  const contact_id = idOf(await agent.post('/contacts', contact))
  await run(await book({ contact_id, invite: true }))
  const [message] = await messagesTo(contact.email)
  expect(message?.calendar).toContain('CN="Reyes"')
  expect(JSON.stringify(message)).not.toContain('prize.example')
})

test('no one is invited without `invite` or to a past or completed appointment', async () => {
  const attendees = [{ email: 'eve@lind.example' }]
  const past = { starts_at: '2026-03-01T16:00:00Z', ends_at: '2026-03-01T17:00:00Z' }
  const done = await book({ attendees, invite: true })
  await agent.patch(`/appointments/${done}`, { outcome: 'showed' })
  for (const id of [await book({ attendees }), await book({ attendees, invite: true, ...past }), done])
    await run(id)
  expect(await messagesTo('eve@lind.example')).toEqual([])
})

test('an invitation that the gates block is recorded and does not stop the others', async () => {
  await agent.post('/suppressions', { kind: 'manual', email: 'fay@lind.example' })
  const id = await book({
    attendees: [{ email: 'fay@lind.example' }, { email: 'gus@lind.example' }],
    invite: true,
  })
  await run(id)
  const statuses = (await messagesTo('fay@lind.example', 'gus@lind.example')).map(({ status }) => status)
  expect(statuses).toEqual(['blocked', 'queued'])
})

test('concurrent runs invite each person only once', async () => {
  const id = await book({
    attendees: [{ email: 'hal@lind.example' }, { email: 'ivy@lind.example' }],
    invite: true,
  })
  await Promise.all(Array.from({ length: 8 }, () => run(id)))
  expect(await messagesTo('hal@lind.example', 'ivy@lind.example')).toHaveLength(2)
})

test('the longest title fits into a subject without split characters', async () => {
  const title = '😀'.repeat(200)
  const id = await book({ title, attendees: [{ email: 'jan@lind.example' }], invite: true })
  await run(id)
  const [message] = await messagesTo('jan@lind.example')
  expect(message?.subject).toMatch(/^Invitation: 😀+$/u)
})

test('an erased contact gets no further invitations, and the sent ones are cleared', async () => {
  const contact_id = idOf(await agent.post('/contacts', { first_name: 'Jo', email: 'jo@reyes.example' }))
  const id = await book({ contact_id, invite: true })
  await run(id)
  await agent.delete(`/contacts/${contact_id}`)
  await agent.patch(`/appointments/${id}`, { outcome: 'cancelled' })
  await run(id)
  const text = 'select subject, calendar from messages where workspace_id = $1 and contact_id = $2'
  expect(await asOwner(app.databaseUrl, text, [workspace.id, contact_id])).toEqual([
    { subject: null, calendar: null },
  ])
})
