import { expect, test } from 'vitest'
import { leaseFrom } from '#kernel/background/lease.ts'
import { newId } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import {
  app,
  emailing,
  enabled,
  enrolled,
  get,
  historyOf,
  messagesTo,
  openAutomations,
  post,
  send,
  tagStep,
  tick,
  waitStep,
} from '#test/scenes/automations.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { batches } from '../../backfills/batches.ts'
import { createEngine } from './engine.ts'
import { claimLanesAcrossWorkspaces } from './lane-queries.ts'
import { moveContacts } from './move-contacts.ts'
import { retryLater } from './retry-later.ts'

openAutomations()

async function hold() {
  await using queue = app.runtime.database.across('gable_engine')
  const now = app.clock.now()
  const workspaceId = emailing.workspace.id
  await queue.run`
    insert into automation_lanes (workspace_id, next_at, holder_id, held_until, fence)
    values (${workspaceId}, null, null, ${now}, 0) on conflict (workspace_id) do nothing`
  const [held] = await claimLanesAcrossWorkspaces(queue, {
    ids: [workspaceId],
    holder: newId(now),
    lease: leaseFrom(app.clock, -1),
    limit: 1,
  })
  if (held === undefined) throw new Error('The lane is held.')
  return held
}

test('a failed move is retried after 1, 5, 30, and 120 minutes, then fails; exits still apply', async () => {
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

test('an event that keeps throwing delays no other contact; the fifth failure drops it', async () => {
  const triggers = [{ event: 'contact.tag_added' }]
  const steps = [{ key: 'n', type: 'note', body: 'Tagged.' }]
  const [bad, good, active] = [
    await enabled({ triggers, steps }),
    await enabled({ triggers, steps }),
    await enabled({ steps: [waitStep('w', 100_000)] }),
  ]
  const [first, second] = [await enrolled(active), await enrolled(active)]
  const addTag = ({ contact }: { contact: string }, name: string) =>
    emailing.agent.patch(`/contacts/${contact}`, { tags: [name] })
  await addTag(first, 'once')
  await tick()
  await asOwner(
    app.databaseUrl,
    'update automation_versions set definition = definition::jsonb || \'{"re_enrollment": null}\' where automation_id = $1',
    [bad],
  )
  await addTag(first, 'again')
  await addTag(second, 'once')
  await tick()
  const inGood = () =>
    asOwner(app.databaseUrl, 'select contact_id from enrollments where automation_id = $1 order by id', [
      good,
    ])
  expect(await inGood()).toEqual([{ contact_id: first.contact }, { contact_id: second.contact }])
  const status = async ({ enrollment }: { enrollment: string }) =>
    (await get(`/enrollments/${enrollment}`)).status
  for (const minutes of [1, 5, 30, 120]) {
    expect(await status(first)).toBe('running')
    app.clock.advance(minutes * 60_000)
    await tick()
  }
  expect([await status(first), await status(second)]).toEqual(['failed', 'running'])
  expect(
    await asOwner(app.databaseUrl, 'select id from automation_inbox where contact_id = $1', [first.contact]),
  ).toEqual([])
})

test('an engine that dies before the commit has no effect, and the next one sends once', async () => {
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
  await expect(moveContacts(dying as typeof ctx, await hold(), [contact])).rejects.toThrow('killed')
  expect(await messagesTo(email)).toEqual([])
  await tick()
  expect(await messagesTo(email)).toHaveLength(1)
})

test('due contacts move in one transaction; if one throws, the others move on their own', async () => {
  const id = await enabled({ steps: [tagStep('a'), waitStep('b', 5), tagStep('c')] })
  const both = [await enrolled(id), await enrolled(id)]
  const commits = () =>
    asOwner(
      app.databaseUrl,
      "select xmin::text as id from enrollment_steps where enrollment_id = any ($1) and outcome = 'done' group by xmin",
      [both.map(({ enrollment }) => enrollment)],
    )
  await tick()
  expect(await commits()).toHaveLength(1)
  app.clock.advance(5 * 60_000)
  await using queue = app.runtime.database.across('gable_engine')
  const failing = both[0]?.contact ?? ''
  const runtime = { ...app.runtime, log: createLog('silent') }
  const engine = createEngine(runtime, queue, newId(app.clock.now()), batches, {
    move: async (ctx, held, contactIds, takes) => {
      if (contactIds.includes(failing)) throw new Error('failing')
      await moveContacts(ctx, held, contactIds, takes)
    },
  })
  await engine.tick()
  const histories = await Promise.all(both.map(({ enrollment }) => historyOf(enrollment)))
  expect(histories).toEqual([['a done'], ['a done', 'b done', 'c done']])
})

test('an engine that lost its lane writes nothing', async () => {
  const { contact, email } = await enrolled(await enabled({ steps: [send('hello')] }))
  const lost = await hold()
  await hold()
  await moveContacts(emailing.workspace.ctx, lost, [contact])
  expect(await messagesTo(email)).toEqual([])
  await tick()
  expect(await messagesTo(email)).toHaveLength(1)
})

test.each([
  ['after its last step', [tagStep('on')], () => undefined, { status: 'completed', reason: null }],
  [
    'by a person',
    [waitStep('w', 60)],
    (id: string) => emailing.agent.patch(`/enrollments/${id}`, { status: 'cancelled' }),
    { status: 'cancelled', reason: null },
  ],
])(
  'automation.ended is published once for a run ended %s, and never for one that did not start',
  async (_, steps, end, ending) => {
    const automation = await enabled({ steps })
    const { contact, enrollment } = await enrolled(automation)
    const early = await enrolled(automation)
    await emailing.agent.patch(`/enrollments/${early.enrollment}`, { status: 'cancelled' })
    await tick()
    await end(enrollment)
    await tick()
    const events = await emailing.events('automation.ended')
    const run = { id: automation, run_id: enrollment, contact_id: contact, automation_name: 'No reply' }
    expect(events.filter(({ id }) => id === automation)).toEqual([{ ...run, ...ending }])
  },
)
