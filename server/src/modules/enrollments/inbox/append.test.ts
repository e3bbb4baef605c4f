import { expect, test } from 'vitest'
import {
  app,
  emailing,
  enabled,
  get,
  openAutomations,
  post,
  send,
  tick,
  waitStep,
} from '#test/scenes/automations.ts'
import type { TestApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { lockAutomationForShare } from '../../automations/queries.ts'
import { ContactStageChanged, lockContact } from '../../contacts/public.ts'
import { addEnrollment } from '../enroll.ts'

openAutomations()

const newContact = async () =>
  idOf(await post('/contacts', { first_name: 'Ada', email: 'ada@reyes.example' }))
const times = { starts_at: '2026-03-05T16:00:00.000Z', ends_at: '2026-03-05T17:00:00.000Z' }
const later = { starts_at: '2026-03-06T16:00:00.000Z', ends_at: '2026-03-06T17:00:00.000Z' }

test('a contact event cannot be emitted without the lock of the contact', async () => {
  const id = await newContact()
  const data = { id, from: 'LEAD', to: 'SPHERE' } as const
  const { ctx } = emailing.workspace
  await expect(ctx.transaction((tx) => tx.emit(ContactStageChanged, data))).rejects.toThrow(
    'without the lock',
  )
  await ctx.transaction(async (tx) => {
    await lockContact(tx, id)
    await tx.emit(ContactStageChanged, data)
  })
})

/** An exit that no contact meets. It makes the engine look at every event of the contact. */
const neverMet = {
  when: 'conditions',
  conditions: { all: [{ field: 'contact.source', operator: 'eq', value: 'no such source' }] },
}

/** Waits until a connection is waiting for a lock. */
async function untilOneWaits({ databaseUrl }: TestApp): Promise<void> {
  const sql = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  while ((await asOwner(databaseUrl, sql, [])).length === 0);
}

test.each([
  [
    'a deal',
    (contact_id: string) => post('/deals', { name: 'Alder Court', contact_id }),
    (id: string) => emailing.agent.patch(`/deals/${id}`, { status: 'won' }),
  ],
  [
    'a deal that is deleted',
    (contact_id: string) => post('/deals', { name: 'Alder Court', contact_id }),
    (id: string) => emailing.agent.delete(`/deals/${id}`),
  ],
  [
    'an appointment',
    (contact_id: string) => post('/appointments', { title: 'Showing', contact_id, ...times }),
    (id: string) => emailing.agent.patch(`/appointments/${id}`, later),
  ],
  [
    'a task',
    (contact_id: string) => post('/tasks', { title: 'Call', contact_id }),
    (id: string) => emailing.agent.patch(`/tasks/${id}`, { status: 'completed' }),
  ],
])(
  'a change to %s waits for a concurrent enrollment of its contact, which then follows it',
  async (_, add, change) => {
    const automation = await enabled({ exits: [{ when: 'deal_won' }, neverMet], steps: [waitStep('w', 60)] })
    const contact_id = await newContact()
    const id = idOf(await add(contact_id))
    let changed: Promise<unknown> | undefined
    const { enrollment } = await emailing.workspace.ctx.transaction(async (tx) => {
      await lockContact(tx, contact_id)
      const held = await lockAutomationForShare(tx, automation)
      if (held === undefined) throw new Error('There is no automation.')
      const added = await addEnrollment(tx, held, { contact_id, source: 'api' })
      await tx.flush()
      changed = change(id)
      await untilOneWaits(app)
      return added
    })
    await changed
    const inbox = await asOwner<{ follows: string[] }>(
      app.databaseUrl,
      'select follows from automation_inbox where contact_id = $1 and event_id is not null',
      [contact_id],
    )
    expect(inbox.map(({ follows }) => follows)).toContainEqual([enrollment.id])
    await tick()
    const isWon = (await get(`/enrollments/${enrollment.id}`)).reason === 'deal_won'
    expect(isWon).toBe(_ === 'a deal')
  },
)

test('events from the engine itself precede events from steps in the same move', async () => {
  const exits = [{ when: 'owner_changed' }]
  const starts = await enabled({
    triggers: [{ event: 'message.cancelled' }],
    exits,
    steps: [waitStep('w', 60)],
  })
  const { id: member } = await emailing.workspace.member()
  const tagged = [{ when: 'tag', tag: 'now' }]
  const first = await enabled({ exits: tagged, steps: [{ ...send('hello') }, waitStep('w', 60)] })
  const second = await enabled({
    steps: [
      {
        key: 'r',
        type: 'wait_for',
        events: [{ event: 'contact.tag_added', steps: [{ key: 'o', type: 'owner', member_id: member }] }],
        timeout: { days: 1 },
      },
    ],
  })
  const contact_id = await newContact()
  for (const id of [first, second]) await post(`/automations/${id}/enroll`, { contact_id })
  await tick()
  await emailing.agent.patch(`/contacts/${contact_id}`, { tags: ['now'] })
  await tick()
  await tick()
  const { data } = await get(`/automations/${starts}/enrollments`)
  expect(data).toMatchObject([{ contact_id, status: 'exited', reason: 'owner_changed' }])
})
