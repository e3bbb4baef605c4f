import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reach } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import { createPage, newestFirst } from '#kernel/http/paging.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { changeContact, lockContact } from '../contacts/public.ts'
import { listConversations, listMessages } from './inbox-queries.ts'

let app: TestApp
let workspace: TestWorkspace
let system: Client

beforeAll(async () => {
  app = await testApp({ now: '2026-03-02T15:00:00.000Z' })
  workspace = await app.workspace()
  system = await workspace.credential()
  await readyToSend(workspace)
})
afterAll(() => app[Symbol.asyncDispose]())

const to = '+13125550177'
const send = async () => (await system.post('/messages', { channel: 'sms', to, body: 'Hello' })).body
const run = (text: string, values: unknown[] = []) => asOwner(app.databaseUrl, text, values)
const reads = (reach: Reach) => app.runtime.database.reads(workspace.id, reach)

describe('the inbox', () => {
  const channels = ['SMS', 'WHATSAPP', 'EMAIL'] as const
  const statuses = ['queued', 'delivered', 'received', 'blocked', 'unknown'] as const
  const owners = ['ada', 'bo', 'cy', null]
  const from = <T>(values: readonly T[], n: number): T => values[n % values.length] as T
  const rows = Array.from({ length: 300 }, (_, n) => {
    // Few have the status `unknown`, and the newest hundred belong to Cy or to no one.
    const status = n % 60 === 7 ? 'unknown' : from(statuses.slice(0, 4), n * 7 + Math.floor(n / 9))
    return {
      id: `c00000000a${String(n).padStart(15, '0')}`,
      owner_id: n < 200 ? from(owners, Math.floor(n / 3)) : from(['cy', null], n),
      channel: from(channels, Math.floor(n / 4) + Math.floor(n / 11)),
      direction: status === 'received' ? ('INBOUND' as const) : ('OUTBOUND' as const),
      status,
    }
  })
  const crowd = Array.from({ length: 100 }, (_, n) => `member-${n}`)
  const reaches: [string, Reach][] = [
    ['everyone', 'all'],
    ['an agent', ['ada']],
    ['a team lead', ['ada', 'bo']],
    ['the lead of a large team', ['bo', ...crowd, 'cy']],
    ['an agent without contacts', ['dee']],
    ['a developer', []],
  ]
  const filters = [
    {},
    ...channels.map((channel) => ({ channel: [channel] })),
    ...statuses.map((status) => ({ status: [status] })),
    { direction: ['INBOUND' as const] },
    { direction: ['OUTBOUND' as const] },
    { direction: ['OUTBOUND' as const], status: ['received' as const] },
    { channel: ['EMAIL' as const], status: ['blocked' as const] },
    { channel: ['SMS' as const], direction: ['OUTBOUND' as const], status: ['unknown' as const] },
  ]

  beforeAll(async () => {
    const { id } = await send()
    await run(
      `insert into messages select (jsonb_populate_record(one, row)).*
       from messages one, jsonb_array_elements($2::jsonb) as row where id = $1`,
      [id, JSON.stringify(rows)],
    )
    await run('delete from outbox where message_id = $1', [id])
    await run('delete from messages where id = $1', [id])
  })
  afterAll(() => run('delete from messages where workspace_id = $1', [workspace.id]))

  test.each(reaches)(
    'for %s lists the messages in reach that match each filter, newest first, across pages',
    async (_, reach) => {
      for (const filter of filters) {
        const expected = rows
          .filter(({ owner_id }) => reach === 'all' || (owner_id !== null && reach.includes(owner_id)))
          .filter((row) =>
            Object.entries(filter).every(([name, values]) =>
              (values as string[]).includes(row[name as 'status']),
            ),
          )
          .map(({ id }) => id)
          .toReversed()
        const found: string[] = []
        for (let after: { id: string } | null = null, isMore = true; isMore;) {
          const page = createPage(after, 40, '', newestFirst)
          const { rows: shown, has_more } = page.cut(await listMessages(reads(reach), filter, page))
          found.push(...shown.map(({ id }) => id))
          after = shown.at(-1) ?? null
          isMore = has_more
        }
        expect(found, JSON.stringify(filter)).toEqual(expected)
      }
    },
  )

  test('hides messages out of reach even from a query without a reach condition', async () => {
    const Row = Type.Object({ owner_id: Type.String() })
    const all = await reads(['ada', 'bo']).many(Row)(
      sql`select distinct owner_id from messages where workspace_id = ${workspace.id} order by 1`,
    )
    expect(all.map(({ owner_id }) => owner_id)).toEqual(['ada', 'bo'])
  })
})

describe('the owner of a contact', () => {
  const page = createPage(null, 50, '', newestFirst)
  const waiting =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  const seenBy = async (memberId: string) => {
    const db = reads([memberId])
    const [messages, conversations] = await Promise.all([
      listMessages(db, {}, page),
      listConversations(db, { channel: ['SMS'] }, page),
    ])
    return [messages.length, conversations.length]
  }

  test('sees its messages and conversations; the previous owner does not', async () => {
    const [first, second] = [await workspace.member(), await workspace.member()]
    const { contact_id } = await send()
    const give = (owner_id: string | null) => system.patch(`/contacts/${contact_id}`, { owner_id })
    expect(await seenBy(first.id)).toEqual([0, 0])
    await give(first.id)
    expect(await seenBy(first.id)).toEqual([1, 1])
    await send()
    expect(await seenBy(first.id)).toEqual([2, 1])
    await give(second.id)
    expect([await seenBy(first.id), await seenBy(second.id)]).toEqual([
      [0, 0],
      [2, 1],
    ])
    await give(null)
    expect(await seenBy(second.id)).toEqual([0, 0])
  })

  test('sees a message accepted while the contact changed owners', async () => {
    const { id: memberId } = await workspace.member()
    const { contact_id } = await send()
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
    const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
    const giving = workspace.ctx.transaction(async (tx) => {
      const contact = await lockContact(tx, contact_id)
      if (contact === undefined) throw new Error('There is no contact.')
      locked()
      await isAsked
      await changeContact(tx, contact, { owner_id: memberId })
    })
    await isLocked
    const sending = send()
    // Wait until `sending` waits for the contact's lock.
    for (let waits = false; !waits;) waits = (await run(waiting)).length > 0
    asked()
    await giving
    const { id } = await sending
    const [row] = await run('select owner_id from messages where id = $1', [id])
    expect(row).toEqual({ owner_id: memberId })
  })
})
