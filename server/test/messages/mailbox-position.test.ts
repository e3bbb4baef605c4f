import { startImap } from '@gable/sandbox/email/imap-server.ts'
import { createMailboxes } from '@gable/sandbox/email/mailboxes.ts'
import { expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { orNotFound } from '#kernel/errors.ts'
import { readImapMailbox } from '../../src/adapters/email/mailbox.ts'
import { app, mail, openEmailing } from '../scenes/messaging.ts'
import { asOwner } from '../support/database.ts'
import { office, sam } from '../support/emailing.ts'

openEmailing()

const egress = createEgress({ allowHttp: 'none', allowPrivate: 'loopback' })

test('each email is recorded once and later reads begin after it, even if the mailbox gets a new UIDVALIDITY', async () => {
  let arrival = app.clock.now()
  let boxes = createMailboxes(() => arrival)
  const open = (account: string) => boxes.open(account)
  await using imap = await startImap({ deliver: () => undefined, open }, { host: '127.0.0.1', port: 0 })
  const server = { host: '127.0.0.1', port: imap.port, secure: false, mailbox: 'INBOX', authservIds: [] }
  let fetched = 0
  orNotFound(mail.carriers.email).readMailbox = async function* (account, after) {
    for await (const entry of readImapMailbox(egress, server, account, after)) {
      fetched += entry.mail === null ? 0 : 1
      yield entry
    }
  }
  const deliver = (text: string, id = '') =>
    boxes.deliver('office', `From: ${sam}\r\nTo: ${office}\r\n${id}\r\n${text}`)
  const read = async () => {
    fetched = 0
    expect(await mail.read()).toBe(true)
    const [row] = await asOwner<{ mailbox_position: string }>(
      app.databaseUrl,
      'select mailbox_position from connections where id = $1',
      [mail.connectionId],
    )
    const bodies = (await mail.messages()).map(({ body }) => body).toReversed()
    return { bodies, fetched, position: row?.mailbox_position }
  }

  deliver('one', 'Message-ID: <one@mail.example>\r\n')
  deliver('two')
  const { uidValidity } = boxes.open('office')
  expect(await read()).toEqual({ bodies: ['one', 'two'], fetched: 2, position: `${uidValidity}:2` })
  arrival = app.clock.now()
  deliver('three')
  expect(await read()).toEqual({ bodies: ['one', 'two', 'three'], fetched: 1, position: `${uidValidity}:3` })
  expect(await read()).toMatchObject({ fetched: 0, position: `${uidValidity}:3` })

  const { mails } = boxes.open('office')
  boxes = createMailboxes(() => arrival)
  const next = boxes.open('office').uidValidity
  arrival = app.clock.now()
  deliver('four')
  for (const { raw, arrivedAt } of mails) {
    arrival = arrivedAt
    boxes.deliver('office', raw.toString())
  }
  const bodies = ['one', 'two', 'three', 'four']
  expect(await read()).toEqual({ bodies, fetched: 4, position: `${next}:4` })
  expect(await read()).toEqual({ bodies, fetched: 0, position: `${next}:4` })
})
