import { expect, test } from 'vitest'
import type { Ctx, Tx } from '#kernel/context.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { pointsOf } from '../contacts/contact-points.ts'
import { lockContact, lockPoints } from '../contacts/queries.ts'
import { liftSuppression } from './lift-suppression.ts'
import { suppress } from './suppress.ts'
import { type Subject, subjectOf } from './suppression.ts'

const numbers = ['+13125550186', '+13125550143', '+13125550177']
const addresses = ['ada@reyes.example', 'bea@reyes.example', 'cleo@reyes.example']

const optOut = (ctx: Ctx, ...subjects: Subject[]) =>
  suppress(
    ctx,
    subjects.map((subject) => ({ subject, kind: 'opted_out', source: 'operator' })),
  )

/** Creates contacts that share numbers and addresses, and their leads. */
async function household(agent: Client) {
  const [contacts, leads]: [string[], string[]] = [[], []]
  for (const [i, phone] of numbers.entries()) {
    contacts.push(idOf(await agent.post('/contacts', { phone, email: addresses[(i + 1) % 3] })))
    const lead = { phone, email: addresses[i], source: 'Website', consent: {} }
    leads.push(idOf(await agent.post('/leads', lead)))
    await agent.patch(`/contacts/${contacts[i]}`, { phone: numbers[(i + 1) % 3] })
  }
  return { contacts, leads }
}

test('concurrent writes about the same people complete without a deadlock', async () => {
  await using app = await testApp()
  for (let round = 0; round < 2; round++) {
    const workspace = await app.workspace()
    const agents = await Promise.all([1, 2].map(() => workspace.credential()))
    const { contacts, leads } = await household(agents[0] as Client)
    const { ctx } = workspace
    const chains = Array.from({ length: 8 }, (_, i) => {
      const agent = agents[i % 2] as Client
      const [phone = '', other = ''] = [numbers[i % 3], numbers[(i + 1 + (i % 2)) % 3]]
      const [email = '', contact = '', lead = ''] = [addresses[i % 3], contacts[i % 3], leads[(i + 1) % 3]]
      const [byPhone, byOther] = [subjectOf('phone', phone), subjectOf('phone', other)]
      return [
        () => optOut(ctx, byPhone, subjectOf('email', email), byOther),
        () => agent.post('/leads', { phone: other, email, source: 'Website' }),
        () => agent.patch(`/contacts/${contact}`, { phone, email: addresses[(i + 2) % 3] }),
        () => liftSuppression(ctx, { subject: byPhone, kind: 'opted_out', source: 'operator' }),
        () => agent.post(`/contacts/${contact}/notes`, { body: 'Call first.' }),
        () => optOut(ctx, subjectOf('contact', contact), byOther),
        () => agent.patch(`/contacts/${contact}`, { phone: other, ai_auto_response: 'active' }),
        () => agent.delete(`/leads/${lead}/consent`),
      ]
    })
    const inTurn = async (writes: (() => Promise<unknown>)[]) => {
      const outcomes: unknown[] = []
      for (const write of writes) outcomes.push(await write().catch((error: unknown) => error))
      return outcomes
    }
    const erasures = contacts.map((id) => () => (agents[0] as Client).delete(`/contacts/${id}`))
    const runs = chains.map((writes, i) =>
      inTurn([...writes.slice(i), ...writes.slice(0, i), ...erasures.slice(i, i + 1)]),
    )
    const outcomes = (await Promise.all(runs)).flat()
    // Each request succeeds or finds nothing left to change.
    const failed = outcomes.filter((outcome) => {
      const { status = 200 } = outcome as { status?: number }
      return status >= 300 && status !== 404 && status !== 409
    })
    expect(failed).toEqual([])
  }
})

/** Polls until some transaction in the database is waiting for a lock. */
async function someoneWaits({ databaseUrl }: TestApp): Promise<void> {
  const text =
    'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()'
  while ((await asOwner(databaseUrl, text)).length === 0) await new Promise((done) => setTimeout(done, 5))
}

type Write = (workspace: TestWorkspace, agent: Client, id: string, lead: string) => Promise<unknown>

const writes: Record<string, Write> = {
  'an opt-out of the number': ({ ctx }) => optOut(ctx, subjectOf('phone', '+13125550186')),
  'an opt-out of the contact': ({ ctx }, _, id) => optOut(ctx, subjectOf('contact', id)),
  'an opt-out of another number of the person': ({ ctx }) => optOut(ctx, subjectOf('phone', '+13125550143')),
  'consent that is taken back': (_, agent, __, lead) => agent.delete(`/leads/${lead}/consent`),
  'a pause of the AI': (_, agent, id) => agent.patch(`/contacts/${id}`, { ai_auto_response: 'paused' }),
  'a note': (_, agent, id) => agent.post(`/contacts/${id}/notes`, { body: 'Call first.' }),
  'an erasure': (_, agent, id) => agent.delete(`/contacts/${id}`),
  'a new number': (_, agent, id) => agent.patch(`/contacts/${id}`, { phone: '+13125550177' }),
}

/** How a message to the number starts: under the locks of the number and of the contact. Either lock alone must suffice. */
const beginnings: Record<string, (tx: Tx, id: string) => Promise<unknown>> = {
  number: (tx) => {
    lockPoints(tx, pointsOf({ phone: '+13125550186', email: null }))
    return tx.flush()
  },
  contact: (tx, id) => lockContact(tx, id),
}

const pairs = Object.keys(beginnings).flatMap((held) =>
  Object.keys(writes).map((name) => [name, held] as const),
)

test.each(pairs)('%s waits for a message that begins under the lock of the %s', async (name, held) => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  // The message goes to the lead's number, which the contact itself does not have.
  const id = idOf(await agent.post('/contacts', { phone: '+13125550143', email: 'ada@reyes.example' }))
  const draft = { phone: '+13125550186', email: 'ada@reyes.example', source: 'Website', consent: {} }
  const lead = idOf(await agent.post('/leads', draft))
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const message = workspace.ctx.transaction(async (tx) => {
    await beginnings[held]?.(tx, id)
    begun.resolve()
    await over.promise
  })
  await begun.promise
  const order: string[] = []
  const write = async () => {
    await writes[name]?.(workspace, agent, id, lead)
    order.push('written')
  }
  const writing = write()
  await Promise.race([someoneWaits(app), writing])
  order.push('message over')
  over.resolve()
  await Promise.all([message, writing])
  expect(order).toEqual(['message over', 'written'])
})
