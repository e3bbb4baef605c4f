import { Writable } from 'node:stream'
import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { freshDatabase } from '#test/support/database.ts'
import { createConnection } from './public.ts'

test('a server starts, and logs the connections whose address it now rejects', async () => {
  const databaseUrl = await freshDatabase('rejected_connections')
  const common = { name: 'Ours', account: 'office', secret: 'a b' }
  const before = await testApp({ databaseUrl, egress: { allowHttp: 'all', allowPrivate: 'all' } })
  const [one, two] = [await before.workspace(), await before.workspace()]
  const settings = { smtp: 'smtp://10.0.0.5', imap: 'imaps://10.0.0.5', mailbox: 'Leads' }
  const email = await createConnection(one.ctx, { ...common, provider: 'email', settings })
  const sign = { url: 'http://sign.internal:3000' }
  const documenso = await createConnection(two.ctx, { ...common, provider: 'documenso', settings: sign })
  await createConnection(two.ctx, {
    ...common,
    provider: 'email',
    settings: { smtp: 'smtps://mail.lantern.example' },
  })
  await createConnection(two.ctx, { ...common, provider: 'documenso' })
  await before[Symbol.asyncDispose]()

  const lines: Record<string, unknown>[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  await using _app = await testApp({ databaseUrl, role: 'all', log: pino({ level: 'warn' }, stream) })
  const rejected = () => lines.filter(({ msg }) => String(msg).includes('EGRESS_ALLOW'))
  await vi.waitFor(() => expect(rejected()).toHaveLength(3), 30_000)
  expect(rejected()).toMatchObject([
    { provider: 'email', workspace: one.id, connection: email.id, host: '10.0.0.5:587' },
    { provider: 'email', workspace: one.id, connection: email.id, host: '10.0.0.5:993' },
    { provider: 'documenso', workspace: two.id, connection: documenso.id, host: 'sign.internal:3000' },
  ])
})
