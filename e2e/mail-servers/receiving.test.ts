import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { updateConnection } from '@gable/server/src/modules/senders/public.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { ImapFlow } from 'imapflow'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bounds } from './bounds.ts'
import { type Scene, office, openScene, sam } from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene('receiving', (servers) => settings(servers))
})
afterAll(() => scene[Symbol.asyncDispose]())

const settings = ({ ports }: Scene['servers'], more = {}) => ({
  smtp: `smtp://localhost:${ports.submission}`,
  imap: `imap://localhost:${ports.imap}`,
  ...more,
})

const bodies = async () => (await scene.inbound()).map(({ body }) => String(body).trim())
const received = (body: string) => scene.eventually(async () => (await bodies()).includes(body))

/** How often something of this text was recorded. */
const countOf = async (body: string) => (await bodies()).filter((one) => one === body).length

const connection = async () =>
  (
    await asOwner<{ mailbox_position: string; mailbox_error: string | null }>(
      scene.app.databaseUrl,
      'select * from connections',
    )
  )[0]
const position = async () => (await connection())?.mailbox_position ?? ''

/** Does something as the mail program of the office does. */
async function inOffice<T>(act: (client: ImapFlow) => Promise<T>): Promise<T> {
  const auth = { user: office.address, pass: office.password }
  const client = new ImapFlow({
    host: 'localhost',
    port: scene.servers.ports.imap,
    secure: false,
    auth,
    logger: false,
  })
  await client.connect()
  try {
    await client.mailboxOpen('INBOX')
    return await act(client)
  } finally {
    await client.logout()
  }
}

const headerOf = (raw: string, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(raw.replaceAll(/\r\n(?=[ \t])/g, ''))?.[1] ?? ''

test('a reply arrives through its Reply-To address, and the next email continues the thread', async () => {
  const id = await scene.send(sam.address)
  await scene.until(id, 'sent')
  const mails = () => scene.mailsOf(sam)
  await vi.waitUntil(async () => (await mails()).length === 1, bounds)
  const [raw = ''] = await mails()
  const replyTo = headerOf(raw, 'Reply-To')
  await scene.write({
    from: { name: 'Sam Reyes', address: 'sam.private@reyes.example' },
    to: replyTo,
    subject: 'Re: Your viewing',
    inReplyTo: headerOf(raw, 'Message-ID'),
    messageId: '<perfect@reyes.example>',
    text: 'Perfect, señor. 🏡',
  })
  await received('Perfect, señor. 🏡')
  const sent = await scene.read(id)
  expect(await scene.inbound()).toMatchObject([
    {
      from: 'sam.private@reyes.example',
      to: office.address,
      subject: 'Re: Your viewing',
      conversation_id: sent['conversation_id'],
      reply_to_message_id: id,
      automatic: false,
    },
  ])
  const next = await scene.send(sam.address, { body: 'See you then.' })
  await scene.until(next, 'sent')
  await vi.waitUntil(async () => (await mails()).length === 2, bounds)
  const second = (await mails())[1] ?? ''
  expect(headerOf(second, 'In-Reply-To')).toBe('<perfect@reyes.example>')
  expect(headerOf(second, 'References')).toBe(`<${id}@lantern.example> <perfect@reyes.example>`)
})

test('reading the mailbox does not mark mail as seen', async () => {
  await scene.write({ text: 'unread' })
  await received('unread')
  const flags = await inOffice((client) => client.fetchAll('1:*', { flags: true }))
  expect(flags.length).toBeGreaterThan(0)
  for (const mail of flags) expect([...(mail.flags ?? [])]).not.toContain('\\Seen')
})

test('a large mail with an attachment and a mail of non-text bytes are recorded', async () => {
  const content = Buffer.alloc(6_500_000, 'a plan ')
  await scene.write({ text: 'the plan', attachments: [{ filename: 'plan.pdf', content }] })
  await scene.eventually(async () => (await bodies()).some((body) => body.startsWith('the plan')))
  const body = (await bodies()).find((one) => one.startsWith('the plan'))
  expect(body).toMatch(/^the plan\n\n\[Attachment: plan\.pdf, over [\d.]+ MB\]$/)
  const raw = Buffer.concat([
    Buffer.from('From: sam@reyes.example\r\nTo: office@lantern.example\r\n\r\nbytes '),
    Buffer.from([0xe9, 0xff, 0x80]),
  ])
  await scene.write({ raw, envelope: { from: sam.address, to: office.address } })
  await scene.eventually(async () => (await bodies()).some((one) => one.startsWith('bytes')))
})

test('after the mailbox gets a new UIDVALIDITY, each mail is still recorded once', async () => {
  await scene.write({ text: 'before' })
  await received('before')
  const old = await position()
  const maildir = scene.servers.maildir(office.address)
  await scene.servers.dovecot.stop()
  for (const name of await readdir(maildir)) {
    if (name.startsWith('dovecot')) await rm(join(maildir, name))
  }
  await scene.write({ text: 'meanwhile' })
  await scene.servers.dovecot.start()
  await received('meanwhile')
  expect((await position()).split(':')[0]).not.toBe(old.split(':')[0])
  await scene.write({ text: 'after' })
  await received('after')
  expect(await Promise.all(['before', 'meanwhile', 'after', 'unread'].map(countOf))).toEqual([1, 1, 1, 1])
})

test('mail moved to another folder that is read from then on is recorded once', async () => {
  const { workspace, connectionId, servers } = scene
  await scene.write({ text: 'read before the move' })
  await received('read before the move')
  await inOffice(async (client) => {
    await client.mailboxCreate('Leads')
    await client.messageMove('1:*', 'Leads')
  })
  await scene.write({ text: 'came to the old folder' })
  await vi.waitUntil(
    () => inOffice(async (client) => ((await client.search({ all: true })) || []).length === 1),
    bounds,
  )
  await updateConnection(workspace.ctx, connectionId, { settings: settings(servers, { mailbox: 'Leads' }) })
  await inOffice((client) => client.messageMove('1:*', 'Leads'))
  await received('came to the old folder')
  expect(
    await Promise.all(['read before the move', 'came to the old folder', 'before'].map(countOf)),
  ).toEqual([1, 1, 1])
  await updateConnection(workspace.ctx, connectionId, { settings: settings(servers) })
  await scene.write({ text: 'back again' })
  await received('back again')
  expect(await countOf('back again')).toBe(1)
})

test('mail deleted before it is read is skipped, and later mail is recorded', async () => {
  await scene.write({ text: 'the last one' })
  await received('the last one')
  await scene.servers.dovecot.stop()
  for (const text of ['deleted 1', 'kept 2', 'deleted 3']) await scene.write({ text, subject: text })
  await scene.servers.dovecot.start()
  await inOffice(async (client) => {
    for (const text of ['deleted 1', 'deleted 3']) await client.messageDelete({ subject: text })
  })
  await received('kept 2')
  await scene.write({ text: 'kept 4' })
  await received('kept 4')
  expect(await Promise.all(['kept 2', 'kept 4'].map(countOf))).toEqual([1, 1])
})

test('a Dovecot restart during reading neither loses nor duplicates mail', async () => {
  const texts = Array.from({ length: 40 }, (_, index) => `mail ${index} of a restart`)
  await scene.servers.dovecot.stop()
  for (const text of texts) await scene.write({ text })
  await scene.servers.dovecot.start()
  await scene.eventually(async () => (await countOf(texts[0] ?? '')) === 1)
  // The worker waits at this row with what it has got from Dovecot.
  const held = new pg.Client({ connectionString: scene.app.databaseUrl })
  await held.connect()
  await held.query('begin; select from connections for update')
  const readSoFar = (await bodies()).filter((body) => texts.includes(body)).length
  await scene.servers.dovecot.restart()
  await held.end()
  expect(readSoFar).toBeLessThan(texts.length - 2)
  const failure = async () => (await connection())?.mailbox_error
  await vi.waitUntil(async () => (await failure()) !== null, bounds)
  expect(await failure()).toMatch(/^localhost cannot be read: /)
  await scene.eventually(async () => (await countOf(texts.at(-1) ?? '')) === 1)
  expect((await bodies()).filter((body) => texts.includes(body))).toEqual(texts)
})
