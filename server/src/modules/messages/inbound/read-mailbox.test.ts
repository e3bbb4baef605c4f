import { describe, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { app, mail, openEmailing } from '#test/scenes/messaging.ts'
import { asOwner } from '#test/support/database.ts'
import { office, sam } from '#test/support/emailing.ts'
import { updateConnection } from '../../senders/public.ts'
import { sweepAllConnections } from '../outbox/review-held.ts'

openEmailing()

describe('a mailbox', () => {
  test('records a duplicate mail once and stores its position', async () => {
    for (let i = 0; i < 2; i++)
      await mail.receive({ From: sam, 'Message-ID': '<same@mail.example>' }, 'Hello')
    await mail.read()
    expect(await mail.messages()).toHaveLength(1)
    expect(await mail.events('message.received')).toHaveLength(1)
    const [row] = await asOwner<object>(
      app.databaseUrl,
      'select mailbox_position, mailbox_failures, mailbox_error from connections where id = $1',
      [mail.connectionId],
    )
    expect(row).toEqual({ mailbox_position: '2', mailbox_failures: 0, mailbox_error: null })
  })

  test('read by several workers at once records each mail once', async () => {
    for (let i = 0; i < 5; i++) mail.deliver(`From: ${sam}\r\nTo: ${office}\r\n\r\nNumber ${i}`)
    await Promise.all(Array.from({ length: 4 }, () => mail.read()))
    expect(await mail.messages()).toHaveLength(5)
    expect(await mail.events('message.received')).toHaveLength(5)
  })

  test('resumes after an interruption with the first mail not yet recorded', async () => {
    for (const text of ['one', 'two', 'three']) mail.deliver(`From: ${sam}\r\nTo: ${office}\r\n\r\n${text}`)
    const { email } = mail.carriers
    const read = orNotFound(email?.readMailbox)
    let lost = true
    const asked: (string | null)[] = []
    orNotFound(email).readMailbox = async function* (account, after) {
      asked.push(after.position)
      for await (const entry of read(account, after)) {
        if (lost && entry.position === '2') throw new Error('The connection was lost.')
        yield entry
      }
    }
    await expect(mail.read()).rejects.toThrow('lost')
    const shown = async () =>
      (await mail.agent.get(`/connections/${mail.connectionId}`)).body['mailbox_error']
    expect(await shown()).toBe('The connection was lost.')
    expect((await mail.messages()).map(({ body }) => body)).toEqual(['one'])
    lost = false
    // After a failure, the mailbox is not read for a while.
    expect(await mail.read()).toBe(false)
    app.clock.advance(60_000)
    expect(await mail.read()).toBe(true)
    expect((await mail.messages()).map(({ body }) => body)).toEqual(['three', 'two', 'one'])
    expect(await shown()).toBeNull()
    expect(asked).toEqual([null, '1'])
  })

  test('that pauses after a failure is read when a person asks, as after a restore', async () => {
    mail.deliver(`From: ${sam}\r\nTo: ${office}\r\n\r\nSTOP`)
    const { email } = mail.carriers
    const read = orNotFound(email?.readMailbox)
    orNotFound(email).readMailbox = () => {
      throw new Error('The connection was lost.')
    }
    await expect(mail.read()).rejects.toThrow('lost')
    expect(await sweepAllConnections(app.runtime, mail.carriers)).toContain(mail.connectionId)
    orNotFound(email).readMailbox = read
    expect(await mail.read()).toBe(false)
    expect(await sweepAllConnections(app.runtime, mail.carriers)).not.toContain(mail.connectionId)
    expect(await mail.messages()).toHaveLength(1)
  })

  test('skips a mail that could not be recorded ten times', async () => {
    mail.deliver(`From: ${sam}\r\nTo: ${office}\r\n\r\none`)
    mail.deliver(`From: ${sam}\r\nTo: ${office}\r\n\r\ntwo`)
    const { email } = mail.carriers
    const read = orNotFound(email?.readMailbox)
    orNotFound(email).readMailbox = async function* (account, after) {
      for await (const entry of read(account, after))
        yield entry.position === '1' ? { ...entry, mail: { message: {} as never } } : entry
    }
    for (let failures = 0; failures < 10; failures++) {
      await expect(mail.read()).rejects.toThrow(TypeError)
      app.clock.advance(10 * 60_000)
    }
    expect(await mail.messages()).toEqual([])
    expect(await mail.read()).toBe(true)
    expect((await mail.messages()).map(({ body }) => body)).toEqual(['two'])
  })

  test('that is moved is read from a day before its last read, as its clock may be behind', async () => {
    const asked: { position: string | null; since: Date }[] = []
    const { email } = mail.carriers
    const read = orNotFound(email?.readMailbox)
    orNotFound(email).readMailbox = (account, after) => {
      asked.push(after)
      return read(account, { ...after, position: null })
    }
    const moved = { settings: { smtp: 'smtps://mail.example', imap: 'imaps://mail.example' } }
    await updateConnection(mail.workspace.ctx, mail.connectionId, moved)
    await mail.read()
    const beforeAnyRead = orNotFound(asked[0])
    await mail.receive({ From: sam }, 'Hello')
    const lastRead = app.clock.now()
    await updateConnection(mail.workspace.ctx, mail.connectionId, {
      settings: { ...moved.settings, mailbox: 'Leads' },
    })
    await mail.read()
    expect(asked.at(-1)?.since).toEqual(new Date(lastRead.getTime() - 24 * 3_600_000))
    expect(await mail.messages()).toHaveLength(1)
    // A mailbox that was never read is read only from the time of its connection on.
    expect(beforeAnyRead.since.getTime()).toBeGreaterThan(lastRead.getTime() - 3_600_000)
    expect(beforeAnyRead.position).toBeNull()
  })
})
