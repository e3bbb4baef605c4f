import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import {
  act,
  app,
  enrollmentOf,
  entered,
  getCampaign,
  leads,
  openCampaigns,
  pass,
  started,
  statusesOf,
  texting,
} from '#test/scenes/campaigns.ts'
import { runDue } from '#test/scenes/engine.ts'
import { asOwner } from '#test/support/database.ts'

openCampaigns()

/** Changes an enrollment directly in the database, in ways that otherwise take time. */
const become = async (contactId: string, set: string) =>
  asOwner(app.databaseUrl, `update enrollments set ${set} where id = $1`, [await enrollmentOf(contactId)])

const hoursAgo = (hours: number) => new Date(app.clock.now().getTime() - hours * 3_600_000).toISOString()

test('each recipient counts once however they end, and the list has the matching status and reason', async () => {
  const people = await leads(10)
  const id = await started({ throttle_per_hour: 10_000 })
  await entered(id, 10)
  const [, cancelled, late, tooLate, trash, broken, unreachable, erased, stopped, waits] = people.map(
    (one) => one.id,
  )
  const patch = (contact: string | undefined, body: object) =>
    texting.agent.patch(`/contacts/${orNotFound(contact)}`, body)
  await texting.agent.patch(`/enrollments/${await enrollmentOf(orNotFound(cancelled))}`, {
    status: 'cancelled',
  })
  await become(orNotFound(late), `due_at = '${hoursAgo(25)}'`)
  // It is 6 am in Hawaii.
  await patch(tooLate, { timezone: 'Pacific/Honolulu' })
  await become(
    orNotFound(tooLate),
    `waiting_for = '${JSON.stringify({ kind: 'hours', until: hoursAgo(0), since: hoursAgo(8 * 24) })}'`,
  )
  await patch(trash, { stage: 'TRASH' })
  await become(orNotFound(broken), `status = 'failed', reason = 'error', due_at = null, ended_at = now()`)
  await patch(unreachable, { phone: null })
  await texting.agent.delete(`/contacts/${orNotFound(erased)}`)
  await texting.text(orNotFound(people[8]).phone, 'STOP')
  await texting.agent.patch(`/enrollments/${await enrollmentOf(orNotFound(waits))}`, { status: 'paused' })
  await pass(2)

  const stats = async () => (await getCampaign(id)).stats
  expect(await stats()).toMatchObject({
    recipients: 7,
    waiting: 0,
    queued: 1,
    sent: 1,
    failed: 1,
    cancelled: 1,
    blocked: { opted_out: 1, phone_missing: 1, too_late: 1 },
    left_out: { erased: 1, late: 1, trash: 1 },
  })
  const listed = async (): Promise<Record<string, string[]>> => {
    const { body } = await texting.agent.get(`/campaigns/${id}/recipients`)
    const rows: { contact_id: string; status: string; reason: string | null }[] = body['data']
    return Object.fromEntries(
      rows.map(({ contact_id, status, reason }) => [contact_id, [status, reason ?? ''].filter(Boolean)]),
    )
  }
  expect(await listed()).toEqual({
    [orNotFound(people[0]).id]: ['sent'],
    [orNotFound(cancelled)]: ['cancelled'],
    [orNotFound(late)]: ['left_out', 'late'],
    [orNotFound(tooLate)]: ['blocked', 'too_late'],
    [orNotFound(trash)]: ['left_out', 'trash'],
    [orNotFound(broken)]: ['failed', 'error'],
    [orNotFound(unreachable)]: ['blocked', 'phone_missing'],
    [orNotFound(erased)]: ['left_out', 'erased'],
    [orNotFound(stopped)]: ['blocked', 'opted_out'],
    [orNotFound(waits)]: ['queued'],
  })

  await act(id, 'cancel')
  await pass(2)
  expect(await stats()).toMatchObject({ recipients: 7, queued: 0, cancelled: 2 })
  expect((await listed())[orNotFound(waits)]).toEqual(['cancelled', 'campaign_cancelled'])
})

test('a recipient whose enrollment cannot be ended does not hold up the cancellation of the others', async () => {
  const people = await leads(4)
  const id = await started({ throttle_per_hour: 10_000 })
  await entered(id, 4)
  const broken = await enrollmentOf(orNotFound(people[1]).id)
  // A step row that cannot be read makes every change of this enrollment throw.
  await asOwner(
    app.databaseUrl,
    `insert into enrollment_steps values ($1, $2, 0, 'x', 'send', now(), now(), 'done', null, '3')`,
    [texting.workspace.id, broken],
  )
  // No enrollment is due, so none ends by itself.
  await asOwner(app.databaseUrl, 'update enrollments set due_at = now() where automation_id = $1', [id])
  await act(id, 'cancel')
  await runDue(app)
  expect((await statusesOf(id)).filter((status) => status === 'cancelled campaign_cancelled')).toHaveLength(3)
})
