import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { twilioAccount as account } from '#test/support/accounts.ts'
import { findSentMessage, listReceived } from './list-messages.ts'

const path = '/2010-04-01/Accounts/AC0123/Messages.json'
const since = new Date('2026-10-06T18:00:00.700Z')
const attemptId = 'cmi8h5d1w0004p8k3j6q2z9a7'
const sought = { attemptId, from: '+15125550100', to: '+15125550123', body: 'Is it?', since }

/** A message in Twilio's list, created this many seconds after the full second in which the attempt started. */
const listed = (sid: string, seconds: number, change = {}) => ({
  sid,
  direction: 'outbound-api',
  from: sought.from,
  to: sought.to,
  body: sought.body,
  status: 'queued',
  error_code: null,
  date_created: new Date(Date.UTC(2026, 9, 6, 18, 0, seconds)).toUTCString().replace('GMT', '+0000'),
  date_sent: null,
  ...change,
})

/** Runs `call` against a fake Twilio that serves these pages, one per request. Also returns the requested URLs. */
async function calling<T>(
  pages: unknown[],
  call: (place: Parameters<typeof findSentMessage>[0]) => Promise<T>,
): Promise<{ result: T; requested: string[] }> {
  const requested: string[] = []
  const server = createServer((request, response) => {
    const body = pages[requested.push(request.url ?? '') - 1]
    response.writeHead(body === undefined ? 503 : 200).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await using egress = createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback' })
  const result = await call({ egress, simulatedUrl: () => `http://127.0.0.1:${port}` })
  server.close()
  return { result, requested }
}

const foundIn = async (messages: unknown[]) =>
  (await calling([{ messages }], (place) => findSentMessage(place, account, sought))).result

test('a lost message is requested by its numbers and found by its text and time', async () => {
  const { result, requested } = await calling([{ messages: [listed('SM1', 1)] }], (place) =>
    findSentMessage(place, account, sought),
  )
  expect(requested).toEqual([`${path}?To=%2B15125550123&From=%2B15125550100&PageSize=50`])
  expect(result).toEqual({
    attemptId,
    providerMessageId: 'SM1',
    status: 'sent',
    failure: null,
    at: new Date('2026-10-06T18:00:01Z'),
  })
})

test('a found message reports its status and failure', async () => {
  expect(await foundIn([listed('SM1', 1, { status: 'delivered' })])).toMatchObject({ status: 'delivered' })
  expect(await foundIn([listed('SM1', 1, { status: 'undelivered', error_code: 30003 })])).toMatchObject({
    status: 'undelivered',
    failure: { code: 'recipient_unreachable' },
  })
})

test.for([
  ['another text', listed('SM1', 0, { body: 'It is' })],
  ['a text of theirs', listed('SM1', 0, { direction: 'inbound' })],
  ['the same text from before', listed('SM1', -2)],
  ['the same text sent again later', listed('SM1', 31)],
])('a lookup does not match %s', async ([, message]) => {
  expect(await foundIn([message])).toBeUndefined()
})

test('a lookup with several matches finds the one closest to the attempt', async () => {
  const all = [listed('SM3', 9), listed('SM2', 0), listed('SM1', -1)]
  expect(await foundIn(all)).toMatchObject({ providerMessageId: 'SM2' })
})

test('received texts are listed to the last page', async () => {
  const foreign = { direction: 'inbound', from: sought.to, to: sought.from, status: 'received' }
  const sent = 'Tue, 06 Oct 2026 18:00:09 +0000'
  const { result, requested } = await calling(
    [
      {
        messages: [listed('SM3', 9, { ...foreign, date_sent: sent }), listed('SM2', 8)],
        next_page_uri: `${path}?Page=1`,
      },
      { messages: [listed('SM1', 7, foreign)], next_page_uri: null },
    ],
    (place) => listReceived(place, account, since),
  )
  expect(requested).toEqual([`${path}?DateSent%3E=2026-10-06T18%3A00%3A00Z&PageSize=50`, `${path}?Page=1`])
  expect(result).toMatchObject([
    { providerMessageId: 'SM3', from: sought.to, to: sought.from, receivedAt: new Date(sent) },
    { providerMessageId: 'SM1', receivedAt: new Date('2026-10-06T18:00:07Z') },
  ])
})

test('a list that cannot be read to the end is an error', async () => {
  const list = (pages: unknown[]) => calling(pages, (place) => listReceived(place, account, since))
  await expect(list([])).rejects.toThrow('503')
  await expect(list([{ messages: [], next_page_uri: `${path}?Page=1` }])).rejects.toThrow('503')
  await expect(list([{ fault: true }])).rejects.toThrow('not a list')
})

test('a next page of another account is not requested', async () => {
  const { requested } = await calling(
    [{ messages: [], next_page_uri: '/2010-04-01/Accounts/AC9/Messages.json?' }],
    (place) => listReceived(place, account, since),
  )
  expect(requested).toHaveLength(1)
})
