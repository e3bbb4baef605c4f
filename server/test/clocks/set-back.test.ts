import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { leaseFrom } from '#kernel/background/lease.ts'
import { systemClock } from '#kernel/clock.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { awaitReply, claimReply, listDueReplies } from '../../src/modules/ai/reply/awaited-queries.ts'
import { claimPush, listDuePushes } from '../../src/modules/calendar/push/push-queries.ts'
import { endpointLeaseMs } from '../../src/modules/deliveries/dispatcher/schedule.ts'
import { laneLease } from '../../src/modules/enrollments/engine/engine.ts'
import {
  addLanesAcrossWorkspaces,
  claimLanesAcrossWorkspaces,
  findNextLaneAcrossWorkspaces,
  listDueLanesAcrossWorkspaces,
} from '../../src/modules/enrollments/engine/lane-queries.ts'
import { listUnclearAcrossWorkspaces } from '../../src/modules/messages/queue/queries.ts'
import { claimMailbox, listConnectionIds } from '../../src/modules/senders/public.ts'

let app: TestApp
let workspace: TestWorkspace
beforeAll(async () => void (app = await testApp({ databaseUrl: await freshDatabase('clocks_set_back') })))
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => void (workspace = await app.workspace()))

const change = (text: string, values: unknown[] = []) => asOwner(app.databaseUrl, text, values)
const now = () => app.clock.now()

interface Claimed {
  /** Claims it. Returns whether that worked. */
  claim(): Promise<boolean>
  /** Whether a worker finds it among what is due. */
  isFound(): Promise<boolean>
}

/** What a worker claims, and how others find it once the claim is over. */
const kinds: Record<string, () => Promise<Claimed>> = {
  async 'a lane of the automations'() {
    const queue = app.runtime.database.across('gable_engine')
    const { id } = workspace
    await addLanesAcrossWorkspaces(queue, [id], now())
    return {
      async claim() {
        const lease = laneLease(app.clock)
        const order = { ids: [id], holder: 'one', lease, limit: 1 }
        return (await claimLanesAcrossWorkspaces(queue, order)).length === 1
      },
      async isFound() {
        const lease = laneLease(app.clock)
        const due = await listDueLanesAcrossWorkspaces(queue, now(), lease, 32)
        const next = await findNextLaneAcrossWorkspaces(queue, lease)
        return due.some(({ workspace_id }) => workspace_id === id) && (next ?? '') <= now().toISOString()
      },
    }
  },
  async 'a conversation that awaits a response'() {
    const { ctx } = workspace
    const awaited = { conversation_id: 'c1', message_id: 'm1', persona_id: 'p1' }
    await ctx.transaction(async (tx) => awaitReply(tx, awaited, now()))
    return {
      claim: async () =>
        (await ctx.transaction((tx) => claimReply(tx, 'c1', leaseFrom(tx.clock)))) !== undefined,
      isFound: async () => (await listDueReplies(ctx.db, now(), 10, app.clock)).includes('c1'),
    }
  },
  async 'a push to a calendar'() {
    const { ctx } = workspace
    const agent = await workspace.credential()
    const host = await workspace.member()
    const { body } = await agent.post('/appointments', {
      title: 'Viewing',
      starts_at: '2026-03-05T15:00:00Z',
      ends_at: '2026-03-05T16:00:00Z',
      host_id: host.id,
    })
    await change(
      `insert into calendar_pushes (workspace_id, appointment_id, member_id, status, updated_at)
       values ($1, $2, $3, 'pending', $4)`,
      [workspace.id, body['id'], host.id, new Date(now().getTime() - 12 * 3_600_000)],
    )
    return {
      claim: async () =>
        (await ctx.transaction((tx) => claimPush(tx, body['id'], host.id, leaseFrom(tx.clock)))) !==
        undefined,
      isFound: async () =>
        (await listDuePushes(ctx.db, now(), 10, app.clock)).includes(`${body['id']} ${host.id}`),
    }
  },
  async 'a mailbox'() {
    const { directory } = app.runtime.database
    const id = `mailbox-${workspace.id}`
    await change(
      `insert into connections (id, workspace_id, provider, name, account, settings, simulated, secret, swept_at,
         mailbox_due_at, mailbox_failures, created_at, updated_at)
       values ($1, $2, 'email', 'Mail', 'mail', '{}', false, '', $3, $3, 0, $3, $3)`,
      [id, workspace.id, now()],
    )
    return {
      claim: async () =>
        (await claimMailbox(directory, { id, workspaceId: workspace.id }, app.clock)) !== undefined,
      isFound: async () => (await listConnectionIds(directory, ['email'], '', app.clock)).includes(id),
    }
  },
}

const threeHours = 3 * 3_600_000

test.each(Object.entries(kinds))(
  'what was claimed while the clock was three hours ahead is free at once when it is right: %s',
  async (_, open) => {
    const { claim, isFound } = await open()
    app.clock.advance(threeHours)
    expect(await claim()).toBe(true)
    expect([await claim(), await isFound()]).toEqual([false, false])
    app.clock.advance(-threeHours)
    expect(await isFound()).toBe(true)
    expect([await claim(), await claim()]).toEqual([true, false])
    // Setting the clock back a little, as time servers do, ends no claim.
    app.clock.advance(-900)
    expect([await claim(), await isFound()]).toEqual([false, false])
  },
)

test('a text that a worker began while the clock was three hours ahead is soon unclear', async () => {
  await using queue = app.runtime.database.across('gable_sender')
  await change(
    `insert into outbox (workspace_id, message_id, sender_id, recipient, lane, segments, state, due_at, attempt_id, attempts,
       turns, began_at, created_at)
     values ($1, 'm1', 's1', 'r1', 0, 1, 'sending', $2, 'a1', 1, 0, $2, $2)`,
    [workspace.id, new Date(now().getTime() + threeHours)],
  )
  const found = await listUnclearAcrossWorkspaces(queue, app.clock, 10)
  expect(found).toMatchObject([{ workspace_id: workspace.id, message_id: 'm1', state: 'sending' }])
})

test('a process whose own clock is wrong stamps its claims with PostgreSQL’s', async () => {
  const wrong = { ...systemClock, now: () => new Date(Date.now() + threeHours) }
  await using queue = app.runtime.database.across('gable_engine')
  await addLanesAcrossWorkspaces(queue, [workspace.id], wrong.now())
  const order = { ids: [workspace.id], holder: 'wrong', lease: leaseFrom(wrong, endpointLeaseMs), limit: 1 }
  expect(await claimLanesAcrossWorkspaces(queue, order)).toHaveLength(1)
  const [row] = await change(
    `select held_until between now() - interval '1 minute' and now() + interval '21 s' as right, fence::int
     from automation_lanes where workspace_id = $1`,
    [workspace.id],
  )
  expect(row).toEqual({ right: true, fence: 1 })
  expect(await claimLanesAcrossWorkspaces(queue, order)).toEqual([])
})
