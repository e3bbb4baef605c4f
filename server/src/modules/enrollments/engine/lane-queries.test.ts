import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaseFrom } from '#kernel/background/lease.ts'
import type { Queries } from '#kernel/db/handles.ts'
import { emailing, app, openAutomations } from '#test/scenes/automations.ts'
import { asOwner } from '#test/support/database.ts'
import {
  addLanesAcrossWorkspaces,
  freeLanesAcrossWorkspaces,
  claimLanesAcrossWorkspaces,
  listDueLanesAcrossWorkspaces,
  listInboxesAcrossWorkspaces,
} from './lane-queries.ts'

openAutomations()

let queue: Queries & AsyncDisposable
beforeAll(() => {
  queue = app.runtime.database.across('gable_engine')
})
afterAll(() => queue[Symbol.asyncDispose]())

const owner = (sql: string, values: unknown[] = []) => asOwner(app.databaseUrl, sql, values)
const start = Date.UTC(2026, 2, 2)
const at = (ms: number) => new Date(start + ms)
const holdMs = 30
const leaseAt = (ms: number, lasts: number) => leaseFrom({ shared: () => at(ms) }, lasts)

interface Lane {
  nextAt: number | undefined
  holder: string | undefined
  heldUntil: number
  heldAt: number
  fence: number
}

/** A model of the lane queue: the least recently leased lane comes first, and only one engine holds a lane. */
interface Model {
  now: number
  lanes: Map<string, Lane>
  inbox: { workspace: string; dueAt: number | undefined }[]
}

const workspaces = ['w1', 'w2', 'w3', 'w4']
const workspace = fc.constantFrom(...workspaces)
const engine = fc.constantFrom('one', 'other')

const deed = fc.oneof(
  fc.record({
    kind: fc.constant('row' as const),
    workspace,
    later: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('read' as const), workspace }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant('hold' as const), engine, limit: fc.integer({ min: 1, max: 2 }) }),
  fc.record({
    kind: fc.constant('release' as const),
    engine,
    next: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('free' as const), engine }),
)

test('the lane queue behaves like its model', { timeout: 120_000 }, async () => {
  expect(emailing).toBeDefined()
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 25 }), async (deeds) => {
      await owner('delete from automation_inbox')
      await owner('delete from automation_lanes')
      const model: Model = { now: 0, lanes: new Map(), inbox: [] }
      for (const [index, one] of deeds.entries()) await act(model, one, index)
    }),
    { numRuns: 60 },
  )
})

async function act(
  model: Model,
  one: typeof deed extends fc.Arbitrary<infer D> ? D : never,
  index: number,
): Promise<void> {
  const { lanes, inbox, now } = model
  switch (one.kind) {
    case 'pass':
      model.now += one.ms
      return
    case 'row': {
      const dueAt = one.later === undefined ? undefined : now + one.later
      inbox.push({ workspace: one.workspace, dueAt })
      await owner(
        `insert into automation_inbox (workspace_id, id, contact_id, follows, chain, created_at, due_at)
         values ($1, $2, 'c', '{}', '{}', now(), $3)`,
        [one.workspace, `l${index}`, dueAt === undefined ? null : at(dueAt)],
      )
      return
    }
    case 'read':
      model.inbox = inbox.filter(({ workspace: of }) => of !== one.workspace)
      await owner('delete from automation_inbox where workspace_id = $1', [one.workspace])
      return
    case 'release':
      for (const [id, lane] of lanes) {
        if (lane.holder !== one.engine) continue
        lane.holder = undefined
        lane.nextAt = one.next === undefined ? undefined : now + one.next
        await owner('update automation_lanes set holder_id = null, next_at = $2 where workspace_id = $1', [
          id,
          lane.nextAt === undefined ? null : at(lane.nextAt),
        ])
      }
      return
    case 'free':
      for (const lane of lanes.values())
        if (lane.holder === one.engine) Object.assign(lane, { holder: undefined, nextAt: now })
      await freeLanesAcrossWorkspaces(queue, one.engine, at(now))
      return
    case 'hold': {
      const waiting = workspaces.filter((id) =>
        inbox.some((l) => l.workspace === id && l.dueAt === undefined),
      )
      const inboxes = (await listInboxesAcrossWorkspaces(queue)).map(({ workspace_id }) => workspace_id)
      expect(inboxes).toEqual(waiting)
      for (const id of waiting)
        if (!lanes.has(id))
          lanes.set(id, { nextAt: undefined, holder: undefined, heldUntil: now, heldAt: -1, fence: 0 })
      await addLanesAcrossWorkspaces(queue, waiting, at(now))
      const isDue = ({ nextAt }: Lane) => nextAt !== undefined && nextAt <= now
      const due = await listDueLanesAcrossWorkspaces(queue, at(now), leaseAt(now, holdMs), 32)
      const ids = [...new Set([...waiting, ...due.map(({ workspace_id }) => workspace_id)])]
      expect(ids.toSorted()).toEqual(
        [...lanes]
          .filter(([id, lane]) => waiting.includes(id) || isDue(lane))
          .map(([id]) => id)
          .toSorted(),
      )
      const free = [...lanes].filter(
        ([id, { holder, heldUntil }]) => ids.includes(id) && (holder === undefined || heldUntil <= now),
      )
      const held = await claimLanesAcrossWorkspaces(queue, {
        ids,
        holder: one.engine,
        lease: leaseAt(now, holdMs),
        limit: one.limit,
      })
      expect(held).toHaveLength(Math.min(one.limit, free.length))
      const taken = free.filter(([id]) => held.some(({ workspaceId }) => workspaceId === id))
      const left = free.filter((lane) => !taken.includes(lane))
      const oldestLeft = Math.min(...left.map(([, { heldAt }]) => heldAt))
      for (const [id, lane] of taken) {
        expect(lane.heldAt, 'none that has waited longer is left').toBeLessThanOrEqual(oldestLeft)
        Object.assign(lane, {
          holder: one.engine,
          heldUntil: now + holdMs,
          nextAt: now + holdMs,
          heldAt: now,
        })
        lane.fence++
        expect(held.find(({ workspaceId }) => workspaceId === id)?.fence).toBe(String(lane.fence))
      }
    }
  }
}

test('every lane gets a turn even if all of them always have work', async () => {
  await owner('delete from automation_lanes')
  const ids = Array.from({ length: 80 }, (_, n) => `w${String(n).padStart(2, '0')}`)
  await addLanesAcrossWorkspaces(queue, ids, at(0))
  const seen = new Set<string>()
  for (let n = 0; n < 3; n++) {
    const held = await claimLanesAcrossWorkspaces(queue, {
      ids,
      holder: 'one',
      lease: leaseAt(n, 0),
      limit: 32,
    })
    for (const { workspaceId } of held) seen.add(workspaceId)
  }
  expect(seen.size).toBe(80)
})
