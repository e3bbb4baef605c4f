import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { event } from '#kernel/events/event.ts'
import { listTimeline, scrubTimeline, timelineEvents } from '#kernel/events/journal.ts'
import { testApp } from '#test/support/app.ts'
import { idOf } from '#test/support/fixtures.ts'

const HomeSold = event('home.sold', {
  scope: null,
  summary: 'A home was sold',
  subject: 'home',
  data: Type.Object({
    id: Type.String(),
    contact_ids: Type.Array(Type.String()),
    street: Type.Optional(Type.String()),
  }),
  example: { id: 'cmi8hb7w40007m2n6c8v0b3x5', contact_ids: [], street: '12 Elm Street' },
  personal: ['street'],
  timelineOf: (data) => data.contact_ids,
})

test('an event of several contacts is on each timeline once, in order, and one erasure scrubs it for all', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const [ada, ben, cleo] = [
    idOf(await agent.post('/contacts', {})),
    idOf(await agent.post('/contacts', {})),
    idOf(await agent.post('/contacts', {})),
  ]
  const ctx = workspace.ctx
  const emit = (id: string, contact_ids: string[]) =>
    ctx.transaction(async (tx) => {
      await tx.run`
        select from contacts where workspace_id = ${tx.workspaceId} and id = any (${contact_ids}::text[]) for share`
      await tx.emit(HomeSold, { id, contact_ids, street: '12 Elm Street' })
    })
  await emit('first', [ada, ben, ada])
  await emit('second', [ben])
  await emit('third', [])
  const subjects = async (contactId: string, limit = 10) => {
    const rows = await listTimeline(ctx.db, undefined, contactId, { before: null, limit }, [HomeSold.name])
    return rows.map(({ subject_id }) => subject_id)
  }
  expect(await Promise.all([ada, ben, cleo].map((id) => subjects(id)))).toEqual([
    ['first'],
    ['second', 'first'],
    [],
  ])
  expect(await subjects(ben, 1)).toEqual(['second'])
  const shown = (await agent.get(`/contacts/${ben}/events`)).body.data
  expect(shown.map(({ contact_id }: { contact_id: string }) => contact_id)).toEqual([ben, ben, ben])

  await ctx.transaction((tx) =>
    scrubTimeline({ ...tx, eventTypes: new Map([[HomeSold.name, HomeSold]]) }, ben),
  )
  const [row] = await listTimeline(ctx.db, undefined, ada, { before: null, limit: 1 }, [HomeSold.name])
  expect(row?.data).toEqual({ id: 'first', contact_ids: [ada, ben, ada] })
  const names: string[] = []
  for await (const events of timelineEvents(ctx.db, ben)) names.push(...events.map(({ name }) => name))
  expect(names).toEqual(['contact.created', 'home.sold', 'home.sold'])
})
