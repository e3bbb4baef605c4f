import { beforeEach, describe, expect, test } from 'vitest'
import { app, mail, openEmailing } from '#test/scenes/messaging.ts'
import { asOwner } from '#test/support/database.ts'
import { sam, startEmailing } from '#test/support/emailing.ts'
import { dsn, reports } from '../../../adapters/email/reports.fixtures.ts'

openEmailing()
beforeEach(async () => void (await mail.lead(sam)))

async function report(raw: string | Buffer) {
  mail.deliver(raw)
  await mail.read()
}
const hardBounce = { kind: 'hard_bounce', channels: ['email'] }

describe('a bounce', () => {
  test.for<[code: string, error: string, suppressions: object[]]>([
    ['5.1.1', 'recipient_invalid', [hardBounce]],
    ['5.1.10', 'recipient_invalid', [hardBounce]],
    ['5.1.8', 'rejected', []],
    ['5.2.2', 'recipient_unreachable', []],
    ['5.7.1', 'filtered', []],
    ['4.4.7', 'recipient_unreachable', []],
  ])('with code %s marks the message undelivered with the error %s', async ([code, error, suppressions]) => {
    const { id, bounceTo } = await mail.sent(sam)
    await report(dsn(bounceTo, code))
    expect(await mail.message(id)).toMatchObject({
      status: 'undelivered',
      error: { code: error, carrier_code: code },
    })
    expect(await mail.suppressions()).toEqual(suppressions)
    expect(await mail.events('message.failed')).toHaveLength(1)
    expect(await mail.messages()).toEqual([])
  })

  test('suppresses the address of its attempt once, whatever address it names', async () => {
    const { bounceTo } = await mail.sent(sam)
    for (let i = 0; i < 2; i++) await report(dsn(bounceTo, '5.1.1'))
    const { data } = (await mail.agent.get(`/suppressions?email=${sam}`)).body
    expect(data).toMatchObject([hardBounce])
    const { status, body } = await mail.agent.post('/messages', {
      channel: 'email',
      to: sam,
      subject: 'Again',
      body: 'Hello',
    })
    expect([status, body['error'].reason]).toEqual([422, 'suppressed_hard_bounce'])
    const other = await mail.agent.get('/suppressions?email=someone-else@elsewhere.example')
    expect(other.body['data']).toEqual([])
  })

  test('for a full mailbox suppresses the address at the fifth within 30 days', async () => {
    for (let bounces = 1; bounces <= 5; bounces++) {
      expect(await mail.suppressions()).toEqual([])
      const { bounceTo } = await mail.sent(sam)
      await report(dsn(bounceTo, '5.2.2'))
      if (bounces === 1) app.clock.set('2026-03-20T18:00:00.000Z')
    }
    expect(await mail.suppressions()).toEqual([hardBounce])
  })

  test('older than 30 days does not count toward the five', async () => {
    for (let bounces = 1; bounces <= 5; bounces++) {
      const { bounceTo } = await mail.sent(sam)
      await report(dsn(bounceTo, '5.2.2'))
      if (bounces === 1) app.clock.set('2026-04-02T18:00:00.000Z')
    }
    expect(await mail.suppressions()).toEqual([])
  })

  test('without our token, or with a foreign one, changes nothing and records no message', async () => {
    const { id, bounceTo, replyTo } = await mail.sent(sam)
    const other = await startEmailing(app)
    await other.lead(sam)
    const foreign = await other.sent(sam)
    const forged = bounceTo.replace(/.@/, (end) => (end === 'a@' ? 'b@' : 'a@'))
    for (const to of ['office@lantern.example', forged, foreign.bounceTo, replyTo])
      await report(dsn(to, '5.1.1'))
    await report(reports.withoutToken)
    await report(reports.complaint)
    expect(await mail.message(id)).toMatchObject({ status: 'sent' })
    expect(await mail.suppressions()).toEqual([])
    expect(await mail.messages()).toEqual([])
    expect(await other.message(foreign.id)).toMatchObject({ status: 'sent' })
  })
})

test('a delay notice is kept on the attempt, and the message stays sent', async () => {
  const { id, attemptId, bounceTo } = await mail.sent(sam)
  await report(dsn(bounceTo, '4.4.1', 'delayed'))
  expect(await mail.message(id)).toMatchObject({ status: 'sent', error: null })
  const [attempt] = await asOwner<{ detail: object }>(
    app.databaseUrl,
    'select detail from message_attempts where id = $1',
    [attemptId],
  )
  expect(attempt?.detail).toMatchObject({ delayed: true, carrierCode: '4.4.1' })
})

test('a delivery notice marks the message delivered, and a later bounce changes nothing', async () => {
  const { id, bounceTo } = await mail.sent(sam)
  await report(dsn(bounceTo, '2.0.0', 'delivered'))
  await report(dsn(bounceTo, '5.2.2'))
  expect(await mail.message(id)).toMatchObject({ status: 'delivered', delivered_at: expect.any(String) })
})

test('a complaint suppresses the address and leaves the message sent', async () => {
  const { id, bounceTo } = await mail.sent(sam)
  const complaint = String(reports.complaint).replaceAll('office+b-token@lantern.example', bounceTo)
  await report(complaint)
  expect(await mail.suppressions()).toEqual([{ kind: 'complaint', channels: ['email'] }])
  expect(await mail.message(id)).toMatchObject({ status: 'sent' })
  const { body } = await mail.agent.post('/messages', { channel: 'email', to: sam, subject: 'A', body: 'B' })
  expect(body['error'].reason).toBe('suppressed_complaint')
})
