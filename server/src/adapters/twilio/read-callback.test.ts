import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import { expect, test } from 'vitest'
import { twilioAccount } from '#test/support/accounts.ts'
import type { ProviderAccount } from '../../modules/messages/ports.ts'
import { readTwilioCallback } from './read-callback.ts'

const account: ProviderAccount = { ...twilioAccount, simulated: false, secrets: ['primary', 'secondary'] }
const sid = `SM${'0123456789abcdef'.repeat(2)}`
const attemptId = 'cmi8h5d1w0004p8k3j6q2z9a7'

/** Reads a callback to this path, signed with this token for this URL. */
function read(
  path: string,
  parameters: Record<string, string>,
  { token = 'primary', signedPath = path, to = account } = {},
) {
  const urlOf = (one: string) => `https://gable.example.com/callbacks/twilio/${account.id}/${one}`
  const signature = getExpectedTwilioSignature(token, urlOf(signedPath), parameters)
  return readTwilioCallback(to, {
    method: 'POST',
    url: urlOf(path),
    path,
    headers: { 'x-twilio-signature': signature },
    body: Buffer.from(new URLSearchParams(parameters).toString()),
  })
}

const status = (MessageStatus: string, more = {}) =>
  read(`status/${attemptId}`, { AccountSid: 'AC0123', MessageSid: sid, MessageStatus, ...more })

test.for<[string, string]>([
  ['accepted', 'sent'],
  ['queued', 'sent'],
  ['sending', 'sent'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
])('status %s is reported as %s', ([said, reported]) => {
  expect(status(said)?.statuses).toEqual([
    { attemptId, providerMessageId: sid, status: reported, failure: null, at: null },
  ])
})

test.for<[said: string, reported: string, code: string, failure: string]>([
  ['undelivered', 'undelivered', '30003', 'recipient_unreachable'],
  ['undelivered', 'undelivered', '30005', 'recipient_invalid'],
  ['undelivered', 'undelivered', '30006', 'recipient_invalid'],
  ['undelivered', 'undelivered', '30007', 'filtered'],
  ['undelivered', 'undelivered', '30008', 'recipient_unreachable'],
  ['undelivered', 'undelivered', '30032', 'sender_not_registered'],
  ['failed', 'failed', '30034', 'sender_not_registered'],
  ['failed', 'failed', '30036', 'rejected'],
])('status %s is reported as %s with the failure of code %s', ([said, reported, ErrorCode, code]) => {
  expect(status(said, { ErrorCode })?.statuses).toMatchObject([
    { status: reported, failure: { code, carrierCode: ErrorCode } },
  ])
})

test('a failure without a code is "rejected", and other statuses report nothing', () => {
  expect(status('failed')?.statuses).toMatchObject([{ status: 'failed', failure: { code: 'rejected' } }])
  for (const said of ['received', 'receiving', 'new', '']) expect(status(said)?.statuses).toEqual([])
})

const inbound = {
  MessageSid: sid,
  From: '+15125550123',
  To: '+15125550100',
  Body: '¿Sí? Yes & no',
  NumMedia: '0',
}

test('a received text is read, signed with either token', () => {
  for (const token of ['primary', 'secondary'])
    expect(read('inbound', inbound, { token })).toEqual({
      statuses: [],
      messages: [
        {
          providerMessageId: sid,
          channel: 'sms',
          from: '+15125550123',
          to: '+15125550100',
          subject: null,
          body: '¿Sí? Yes & no',
          bodyHtml: null,
          name: null,
          receivedAt: null,
          providerResponds: true,
        },
      ],
      response: { type: 'text/xml', body: '<Response/>' },
    })
})

test.for([
  ['STOP', 'opt_out'],
  ['START', 'opt_in'],
  ['HELP', 'help'],
  ['help', 'help'],
  ['', undefined],
  ['OTHER', undefined],
] as const)('the OptOutType %j is read as %s, whatever the words', ([OptOutType, asked]) => {
  expect(read('inbound', { ...inbound, OptOutType })?.messages[0]?.asked).toBe(asked)
})

test.for([
  [{}, '+15125550100', true],
  [{ settings: { keyword_replies: false } }, '+15125550100', false],
  [{ settings: { keyword_replies: false } }, '+18335550100', true],
  [{ simulated: true }, '+15125550100', false],
] as const)('with %j at %s, Twilio responds to STOP itself: %s', ([change, To, responds]) => {
  const report = read('inbound', { ...inbound, To }, { to: { ...account, ...change } })
  expect(report?.messages[0]?.providerResponds).toBe(responds)
})

const ids = { message: `MM${'0'.repeat(32)}`, file: `ME${'1'.repeat(32)}` }
const place = `/2010-04-01/Accounts/${account.name}/Messages/${ids.message}/Media/${ids.file}`

test.for<[url: string, source: string | null]>([
  [`https://api.twilio.com${place}`, `Messages/${ids.message}/Media/${ids.file}`],
  // The host is never called: only the path counts.
  [`https://evil.example${place}`, `Messages/${ids.message}/Media/${ids.file}`],
  [`https://api.twilio.com${place.replace(account.name, 'AC_other')}`, null],
  [`https://api.twilio.com${place}/../../../../Calls.json`, null],
  [`https://api.twilio.com${place}?x=1`, `Messages/${ids.message}/Media/${ids.file}`],
  ['https://api.twilio.com/2010-04-01/Accounts', null],
  ['http://169.254.169.254/latest', null],
  ['', null],
])('a file at %j is at %j of the account', ([MediaUrl0, source]) => {
  const report = read('inbound', { ...inbound, NumMedia: '1', MediaUrl0, MediaContentType0: 'image/png' })
  expect(report?.messages[0]?.media).toEqual([{ source, contentType: 'image/png', name: null }])
})

test.for<[count: string, files: number]>([
  ['0', 0],
  ['', 0],
  ['2', 2],
  ['999999', 10],
  ['-1', 0],
  ['x', 0],
])('NumMedia=%j means %i files', ([NumMedia, files]) => {
  expect(read('inbound', { ...inbound, NumMedia })?.messages[0]?.media ?? []).toHaveLength(files)
})

test('a callback signed with another token or for another path, or unsigned, is rejected', () => {
  expect(read('inbound', inbound, { token: 'other' })).toBeUndefined()
  expect(read(`status/${attemptId}`, inbound, { signedPath: 'status/another' })).toBeUndefined()
  expect(read(`status/${attemptId}`, inbound, { signedPath: 'inbound' })).toBeUndefined()
  const unsigned = {
    method: 'POST',
    url: 'https://gable.example.com/',
    path: 'inbound',
    headers: {},
  } as const
  expect(readTwilioCallback(account, { ...unsigned, body: Buffer.from('MessageSid=SM1') })).toBeUndefined()
})

test('a repeated callback reads the same both times', () => {
  expect(read('inbound', inbound)).toEqual(read('inbound', inbound))
})

test('a signed callback about something else reports nothing', () => {
  for (const path of ['inbound', `status/${attemptId}`])
    expect(read(path, { CallSid: 'CA1' })).toMatchObject({ statuses: [], messages: [] })
  expect(read('voice', inbound)).toMatchObject({ statuses: [], messages: [] })
})
