import { describe, expect, test } from 'vitest'
import { mail, openEmailing } from '#test/scenes/messaging.ts'
import { ownServer, sam } from '#test/support/emailing.ts'
import { sendInvitations } from './send-invitations.ts'

openEmailing()

const bodies = async () => (await mail.messages()).map(({ body }) => body)

const reply = (uid: string, partstat: string, more: string[] = []) =>
  [
    'BEGIN:VCALENDAR',
    'METHOD:REPLY',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'SUMMARY:Showing with Sam\\, again',
    `ATTENDEE;CN="Reyes: Sam";PARTSTAT=${partstat}:mailto:${sam}`,
    ...more,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

describe('a response to an invitation', () => {
  const invite = async () => {
    const contact_id = await mail.lead(sam)
    const times = { starts_at: '2027-01-05T18:00:00Z', ends_at: '2027-01-05T19:00:00Z' }
    const { body } = await mail.agent.post('/appointments', {
      title: 'Showing',
      contact_id,
      invite: true,
      ...times,
    })
    const id = String(body['id'])
    await sendInvitations(mail.workspace.ctx, id)
    return { id, contact_id }
  }
  const respond = (content: string, from = sam, more: Record<string, string> = {}) =>
    mail.receive(
      { From: from, 'Content-Type': 'text/calendar; method=REPLY; charset=UTF-8', ...more },
      content,
    )

  test.for([
    ['ACCEPTED', 'accepted', 'Accepted: Showing with Sam, again'],
    ['DECLINED', 'declined', 'Declined: Showing with Sam, again'],
    ['TENTATIVE', 'tentative', 'Tentatively accepted: Showing with Sam, again'],
  ] as const)('alone in an email says who %s which appointment', async ([partstat, response, body]) => {
    const { id, contact_id } = await invite()
    await respond(reply(id, partstat))
    expect(await bodies()).toEqual([body])
    expect(await mail.events('message.invitation_responded')).toMatchObject([
      { appointment_id: id, contact_id, response },
    ])
    const { body: appointment } = await mail.agent.get(`/appointments/${id}`)
    expect(appointment['responses']).toMatchObject([{ contact_id, email: null, response }])
  })

  test.for<[name: string, comment: string[], text: string]>([
    ['a comment', ['COMMENT:Can we do Tuesday?'], 'Can we do Tuesday?'],
    ['marks and lines', [String.raw`COMMENT:Yes\, but late\; 5 pm\nSam`], 'Yes, but late; 5 pm\nSam'],
    ['a language', ['COMMENT;LANGUAGE=es:Llego tarde'], 'Llego tarde'],
    ['a folded line', ['COMMENT:Can we', '  do Tuesday?'], 'Can we do Tuesday?'],
    ['quoted parameters', ['COMMENT;ALTREP="cid:1:x":Later: 6 pm'], 'Later: 6 pm'],
    ['small letters', ['comment:Later'], 'Later'],
  ])('keeps %s', async ([, comment, text]) => {
    const { id } = await invite()
    await respond(reply(id, 'DECLINED', comment))
    expect(await bodies()).toEqual([`Declined: Showing with Sam, again\n\n${text}`])
  })

  test('has its comment once if the email says it too, and after what the email says if not', async () => {
    const { id } = await invite()
    const parts = (text: string) =>
      `--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--b\r\nContent-Type: text/calendar; method=REPLY\r\n\r\n${reply(id, 'DECLINED', ['COMMENT:Can we do Tuesday?'])}\r\n--b--`
    const type = { 'Content-Type': 'multipart/alternative; boundary=b' }
    await respond(parts('I am away.\r\nCan we do\r\nTuesday?'), sam, type)
    await respond(parts('I am away.'), sam, type)
    expect((await bodies()).toSorted()).toEqual([
      'I am away.\n\nCan we do Tuesday?',
      'I am away.\nCan we do\nTuesday?',
    ])
  })

  test('whose comment asks for no more email opts out', async () => {
    const { id } = await invite()
    await respond(reply(id, 'DECLINED', ['COMMENT:STOP']))
    expect(await mail.suppressions()).toMatchObject([{ kind: 'opted_out', channels: ['email'] }])
  })

  test('of an outside attendee is shown with their address', async () => {
    const guest = 'guest@outside.example'
    const times = { starts_at: '2027-01-05T18:00:00Z', ends_at: '2027-01-05T19:00:00Z' }
    const attendees = [{ name: 'Guest', email: guest }]
    const { body } = await mail.agent.post('/appointments', {
      title: 'Showing',
      attendees,
      invite: true,
      ...times,
    })
    await sendInvitations(mail.workspace.ctx, String(body['id']))
    await respond(reply(String(body['id']), 'DECLINED'), guest)
    const { body: appointment } = await mail.agent.get(`/appointments/${body['id']}`)
    expect(appointment['responses']).toMatchObject([{ contact_id: null, email: guest, response: 'declined' }])
  })

  test('counts until the appointment moves and a new invitation leaves', async () => {
    const { id } = await invite()
    await respond(reply(id, 'ACCEPTED'))
    await mail.agent.patch(`/appointments/${id}`, {
      starts_at: '2027-01-06T18:00:00Z',
      ends_at: '2027-01-06T19:00:00Z',
    })
    await sendInvitations(mail.workspace.ctx, id)
    expect((await mail.agent.get(`/appointments/${id}`)).body['responses']).toEqual([])
  })

  test('of someone who was not invited, of an unverified sender, and to another event counts for nothing', async () => {
    const { id } = await invite()
    await respond(reply(id, 'ACCEPTED'), 'eve@evil.example')
    await respond(reply(id, 'ACCEPTED'), sam, { 'Authentication-Results': `${ownServer}; dmarc=fail` })
    await respond(reply('cmi8h5d1w0004p8k3j6q2z9a7', 'ACCEPTED'))
    await respond(reply('another@calendar.example', 'ACCEPTED'))
    await respond(reply(id, 'DELEGATED'))
    expect((await mail.agent.get(`/appointments/${id}`)).body['responses']).toEqual([])
  })
})
