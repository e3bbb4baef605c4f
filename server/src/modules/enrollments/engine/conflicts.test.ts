import { expect, test } from 'vitest'
import {
  app,
  emailing,
  enabled,
  enrolled,
  historyOf,
  openAutomations,
  post,
  tagStep,
  tick,
  waitStep,
} from '#test/scenes/automations.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { lockContactsForShare } from '../../contacts/queries.ts'
import { lockDeal, saveDeal } from '../../deals/queries.ts'

openAutomations()

const addTag = (contact: string, tag: string) => emailing.agent.patch(`/contacts/${contact}`, { tags: [tag] })
const attemptsOf = async (enrollment: string) => {
  const [row] = await asOwner<{ status: string; attempts: number }>(
    app.databaseUrl,
    'select status, attempts from enrollments where id = $1',
    [enrollment],
  )
  return row
}

test('events that arrive before the next attempt at an inbox do not count as attempts', async () => {
  const steps = [{ key: 'n', type: 'note', body: 'Tagged.' }]
  const bad = await enabled({ triggers: [{ event: 'contact.tag_added' }], steps })
  const { contact, enrollment } = await enrolled(await enabled({ steps: [waitStep('w', 100_000)] }))
  await addTag(contact, 'once')
  await tick()
  await asOwner(
    app.databaseUrl,
    'update automation_versions set definition = definition::jsonb || \'{"re_enrollment": null}\' where automation_id = $1',
    [bad],
  )
  for (const tag of 'abcdefgh') {
    await addTag(contact, tag)
    await tick()
  }
  expect(await attemptsOf(enrollment)).toEqual({ status: 'running', attempts: 0 })
  const [{ attempts } = { attempts: 0 }] = await asOwner<{ attempts: number }>(
    app.databaseUrl,
    'select max(attempts) as attempts from automation_inbox where contact_id = $1',
    [contact],
  )
  expect(attempts).toBe(1)
  await asOwner(
    app.databaseUrl,
    "update automation_versions set definition = definition::jsonb - 're_enrollment' where automation_id = $1",
    [bad],
  )
  app.clock.advance(60_000)
  await tick()
  expect(
    await asOwner(app.databaseUrl, 'select from automation_inbox where contact_id = $1', [contact]),
  ).toEqual([])
})

test('events that arrive before the next attempt at a step do not count as attempts', async () => {
  const waitFor = {
    key: 'r',
    type: 'wait_for',
    events: [{ event: 'contact.tag_added' }],
    timeout: { days: 1 },
  }
  const { contact, enrollment } = await enrolled(await enabled({ steps: [waitFor] }))
  await tick()
  // The number of the next step is taken, so recording that step throws.
  await asOwner(
    app.databaseUrl,
    `insert into enrollment_steps values ($1, $2, 0, 'x', 'wait', now(), now(), 'done', null, '{}')`,
    [emailing.workspace.id, enrollment],
  )
  for (const tag of 'abcdefgh') {
    await addTag(contact, tag)
    await tick()
  }
  expect(await attemptsOf(enrollment)).toEqual({ status: 'running', attempts: 1 })
  await asOwner(app.databaseUrl, 'delete from enrollment_steps where enrollment_id = $1', [enrollment])
  app.clock.advance(60_000)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['r done contact.tag_added'])
})

/** Waits until so many connections wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  const sql = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  while ((await asOwner(app.databaseUrl, sql, [])).length < count);
}

test('a deadlock of a step with a request, whose deal got another contact meanwhile, harms neither', async () => {
  const { ctx, id: workspaceId } = emailing.workspace
  const { contact, enrollment } = await enrolled(
    await enabled({ steps: [{ key: 'm', type: 'move_deal', status: 'won' }, tagStep('after')] }),
  )
  const other = idOf(await post('/contacts', { first_name: 'Ben' }))
  const deal = idOf(await post('/deals', { name: 'Alder Court', contact_ids: [other] }))
  let request: ReturnType<typeof emailing.agent.patch> | undefined
  let moved: Promise<void> | undefined
  await ctx.transaction(async (tx) => {
    await lockContactsForShare(tx, [contact, other])
    const before = await lockDeal(tx, deal)
    if (before === undefined) throw new Error('There is no deal.')
    const after = { ...before, contact_ids: [other, contact] }
    saveDeal(tx, after, { contact_ids: after.contact_ids })
    await tx.flush()
    request = emailing.agent.patch(`/deals/${deal}`, { name: 'Alder Place' })
    moved = tick(1)
    await untilWaiting(2)
  })
  const response = await request
  await moved
  await tick()
  expect([200, 503]).toContain(response?.status)
  expect(await historyOf(enrollment)).toEqual(['m done', 'after done'])
  expect(await attemptsOf(enrollment)).toEqual({ status: 'completed', attempts: 0 })
  const moves = await asOwner(
    app.databaseUrl,
    "select id from events where workspace_id = $1 and name = 'deal.stage_changed' and subject_id = $2",
    [workspaceId, deal],
  )
  expect(moves).toHaveLength(1)
})
