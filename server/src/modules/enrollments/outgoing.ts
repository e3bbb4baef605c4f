import type { Db } from '#kernel/db/handles.ts'
import type { Outgoing } from '#kernel/outgoing.ts'
import { changeEnrollment } from './change-enrollment.ts'
import { countInbox, emptyInbox } from './inbox/queries.ts'
import { listUnderWayBefore } from './queries.ts'
import { callWebhook } from './steps/outside/call-webhook.ts'
import { writeAiMessageJob } from './steps/outside/write-ai-message.ts'

const perBatch = 500

async function* underWay(db: Db, before: Date): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const ids = await listUnderWayBefore(db, before, after, perBatch)
    if (ids.length === 0) return
    yield ids
    after = ids.at(-1) ?? after
  }
}

export const outgoingEnrollments: Outgoing = {
  name: 'enrollments',
  what: 'Enrollments that are due, or wait for a message to leave or for the response of a webhook or the AI',
  tables: ['enrollments', 'automation_lanes'],
  workers: ['run-engine', callWebhook.name, writeAiMessageJob],
  released: 'They go on. One repeats the steps that it took after the backup.',
  dropped: 'They are cancelled. The others continue with what falls due later.',
  scope: 'workspace',
  async count({ db }, before) {
    let count = 0
    for await (const ids of underWay(db, before)) count += ids.length
    return count
  },
  async drop(ctx, before) {
    for await (const ids of underWay(ctx.db, before))
      for (const id of ids) await changeEnrollment(ctx, id, 'cancelled')
  },
}

export const outgoingTriggers: Outgoing = {
  name: 'triggers',
  what: 'Events that may start an automation, or that one listens to',
  tables: ['automation_inbox'],
  workers: ['run-engine'],
  released: 'They take effect. An automation that one started after the backup starts again.',
  dropped: 'They are removed. The timeline still has the events.',
  // What is cancelled may be a trigger, too.
  isLast: true,
  scope: 'workspace',
  count: ({ db }) => countInbox(db),
  drop: (ctx) => ctx.transaction(async (tx) => emptyInbox(tx)),
}
