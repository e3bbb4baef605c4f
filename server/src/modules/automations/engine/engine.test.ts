import { expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import {
  app,
  emailing,
  enabled,
  enrolled,
  get,
  messagesTo,
  openAutomations,
  post,
  send,
  tick,
} from '#test/scenes/automations.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { moveContact } from './move-contact.ts'
import { holdLanesAcrossWorkspaces } from './queue-queries.ts'
import { retryLater } from './retry-later.ts'

openAutomations()

async function hold() {
  await using queue = app.runtime.database.across('gable_engine')
  const now = app.clock.now()
  const workspaceId = emailing.workspace.id
  await queue.run`
    insert into automation_lanes (workspace_id, next_at, holder_id, held_until, fence)
    values (${workspaceId}, null, null, ${now}, 0) on conflict (workspace_id) do nothing`
  const until = new Date(now.getTime() - 1)
  const [held] = await holdLanesAcrossWorkspaces(queue, {
    ids: [workspaceId],
    holder: newId(now),
    now,
    until,
    limit: 1,
  })
  if (held === undefined) throw new Error('The lane is held.')
  return held
}

test('a move that throws takes no step and loses no exit; it is tried again, and fails at last', async () => {
  const id = await enabled({
    exits: [{ when: 'owner_changed' }],
    steps: [{ key: 'a', type: 'tag', tag: 'a' }],
  })
  const { ctx } = emailing.workspace
  const { id: agent } = await emailing.workspace.member()
  const contact = idOf(await post('/contacts', { first_name: 'Ada', owner_id: agent }))
  const enrollment = idOf(await post(`/automations/${id}/enroll`, { contact_id: contact }))
  const countMails = async () => (await asOwner(app.databaseUrl, 'select id from mails')).length
  const before = await countMails()
  for (const minutes of [1, 5, 30, 120]) {
    await retryLater(ctx, await hold(), contact)
    expect((await get(`/enrollments/${enrollment}`)).next.at).toBe(
      new Date(app.clock.now().getTime() + minutes * 60_000).toISOString(),
    )
    app.clock.advance(minutes * 60_000)
  }
  await retryLater(ctx, await hold(), contact)
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({
    status: 'failed',
    reason: 'error',
    steps: [],
  })
  expect(await countMails(), 'the owner gets an email').toBe(before + 1)

  const second = await enrolled(id)
  const { id: owner } = await emailing.workspace.member()
  await emailing.agent.patch(`/contacts/${second.contact}`, { owner_id: owner })
  await retryLater(ctx, await hold(), second.contact)
  expect(await get(`/enrollments/${second.enrollment}`)).toMatchObject({
    status: 'exited',
    reason: 'owner_changed',
  })
})

test('an engine that dies between an effect and its commit leaves nothing, and the next one does it once', async () => {
  const { contact, email } = await enrolled(await enabled({ steps: [send('hello')] }))
  const { ctx } = emailing.workspace
  const dying = {
    ...ctx,
    transaction: <T>(work: (tx: never) => Promise<T>) =>
      ctx.transaction(async (tx) => {
        await work(tx as never)
        await tx.flush()
        throw new Error('killed')
      }),
  }
  await expect(moveContact(dying as typeof ctx, await hold(), contact)).rejects.toThrow('killed')
  expect(await messagesTo(email)).toEqual([])
  await tick()
  expect(await messagesTo(email)).toHaveLength(1)
})

test('an engine that has lost its lane writes nothing', async () => {
  const { contact, email } = await enrolled(await enabled({ steps: [send('hello')] }))
  const lost = await hold()
  await hold()
  await moveContact(emailing.workspace.ctx, lost, contact)
  expect(await messagesTo(email)).toEqual([])
  await tick()
  expect(await messagesTo(email)).toHaveLength(1)
})
