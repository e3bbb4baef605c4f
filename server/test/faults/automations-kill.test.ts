import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { Ctx } from '#kernel/context.ts'
import { keyRing } from '#kernel/secrets.ts'
import { asOwner } from '#test/support/database.ts'
import { publishAutomation } from '../../src/modules/automations/public.ts'
import { createAutomation } from '../../src/modules/automations/save-automation.ts'
import { enableAutomation } from '../../src/modules/backfills/public.ts'
import { changeComplianceSettings } from '../../src/modules/compliance/public.ts'
import { createContact } from '../../src/modules/contacts/public.ts'
import { enrollContact } from '../../src/modules/enrollments/public.ts'
import { createConnection, createSender } from '../../src/modules/senders/public.ts'
import { createWorkspace } from '../../src/modules/workspaces/public.ts'
import { actor, operatorIn, operatorRuntime } from '../support/operator.ts'
import { newDatabase } from './databases.ts'
import { type GableProcess, spawnGable } from './gable-process.ts'

/** `GABLE_FAULT_ROUNDS` sets their number. */
const rounds = Number(process.env['GABLE_FAULT_ROUNDS'] ?? 2)
vi.setConfig({ testTimeout: 120_000 + rounds * 60_000 })

const people = 40
const strikes = ['SIGKILL', 'SIGSTOP'] as const

const definition = {
  steps: [
    { key: 'first', type: 'note', body: 'first' },
    { key: 'call', type: 'task', title: 'Call' },
    { key: 'hot', type: 'tag', tag: 'hot' },
    { key: 'soon', type: 'wait', for: { minutes: 0 } },
    { key: 'second', type: 'note', body: 'second' },
    { key: 'hello', type: 'send', channel: 'email', subject: 'Hello', body: 'Still looking?' },
  ],
}

test('each step runs exactly once when one of two engines is killed or suspended', async ({ annotate }) => {
  const env = await newDatabase('automations_kill')
  const url = env.DATABASE_URL
  const runtime = { ...operatorRuntime(url), keys: keyRing([env.APP_SECRET]) }
  await using _database = runtime.database
  const { id: workspaceId } = await createWorkspace(runtime, 'A brokerage', actor)
  const ctx = operatorIn(runtime, workspaceId)
  await openMail(ctx)
  const { id } = await createAutomation(ctx, { name: 'Follow-up', definition: definition as never })
  await publishAutomation(ctx, id)
  await enableAutomation(ctx, id)

  const startWorker = async (): Promise<GableProcess> => {
    const worker = spawnGable({ ...env, ROLE: 'worker', LOG_LEVEL: 'fatal' })
    await worker.until(() => worker.stdout().includes('\n'))
    return worker
  }
  const tally: Record<string, number> = {}
  const workers = [await startWorker(), await startWorker()]
  try {
    for (let round = 0; round < rounds * strikes.length; round++) {
      const strike = strikes[round % strikes.length] ?? 'SIGKILL'
      const contactIds = []
      for (let n = 0; n < people; n++) {
        const contact = await createContact(ctx, {
          first_name: 'Ada',
          email: `ada-${round}-${n}@reyes.example`,
        })
        contactIds.push(contact.id)
      }
      await Promise.all(contactIds.map((contact_id) => enrollContact(ctx, id, { contact_id })))
      const begun = () => count(url, 'select count(distinct enrollment_id) from enrollment_steps', [])
      const before = await begun()
      await sleep(Math.random() * 600)
      const [struck] = workers.splice(round % 2, 1)
      if (struck === undefined) throw new Error('There is no worker.')
      struck.kill(strike)
      const amid = (await begun()) - before
      const moment = `${strike} with ${amid > 0 && amid < people ? 'some' : 'none or all'} begun`
      tally[moment] = (tally[moment] ?? 0) + 1
      await untilAllMoved(url)
      if (strike === 'SIGSTOP') {
        // It goes on where it was, long after the other has taken over.
        struck.kill('SIGCONT')
        await sleep(500)
      }
      await struck[Symbol.asyncDispose]()
      workers.push(await startWorker())
      await expectOnce(url, (round + 1) * people)
    }
  } finally {
    for (const worker of workers) await worker[Symbol.asyncDispose]()
  }
  await annotate(JSON.stringify(tally))
})

async function openMail(ctx: Ctx): Promise<void> {
  await changeComplianceSettings(ctx, { postal_address: '48 Alder Court, Chicago, IL 60614' })
  const draft = { provider: 'email' as const, name: 'Mail', account: 'office', secret: 'password' }
  const { id } = await createConnection(ctx, { ...draft, simulated: true })
  await createSender(ctx, {
    connection_id: id,
    kind: 'email',
    address: 'office@lantern.example',
    pace: 1000,
    registration: { domain_authenticated: true },
  })
}

const count = async (url: string, text: string, values: unknown[]): Promise<number> =>
  Number((await asOwner<{ count: string }>(url, text, values))[0]?.count)

/**
 * Waits until each contact has come to its message. Moves time forward for what a process has left that is gone or halted: after
 * 15 s PostgreSQL ends its transaction, and after 30 s its lane is free.
 */
async function untilAllMoved(url: string): Promise<void> {
  await vi.waitUntil(
    async () => {
      await asOwner(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction' and state_change < now() - interval '1 s'`,
      )
      await asOwner(
        url,
        `update automation_lanes set held_until = now() where held_until < now() + interval '28 s' and holder_id is not null`,
      )
      const left = await count(
        url,
        `select count(*) from enrollments where status in ('queued', 'running') and waiting_for ->> 'kind' is distinct from 'message'`,
        [],
      )
      return left === 0
    },
    { timeout: 60_000, interval: 100 },
  )
}

/** What each contact has by now: two notes, a task, a tag, a message, the start, and a record of each step. */
async function expectOnce(url: string, contacts: number): Promise<void> {
  const others = await asOwner(
    url,
    `select * from (
       select c.id,
         (select count(*) from events e where e.timeline_id = c.id and e.name = 'note.added')::int as notes,
         (select count(*) from events e where e.timeline_id = c.id and e.name = 'automation.run')::int as runs,
         (select count(*) from tasks t where t.contact_id = c.id)::int as tasks,
         (select count(*) from messages m where m.contact_id = c.id)::int as messages,
         cardinality(c.tags) as tags,
         (select string_agg(s.seq || s.step_key, ' ' order by s.seq)
          from enrollment_steps s join enrollments e on e.id = s.enrollment_id where e.contact_id = c.id) as steps
       from contacts c
     ) one
     where (notes, runs, tasks, messages, tags, steps)
       is distinct from (2, 1, 1, 1, 1, '0first 1call 2hot 3soon 4second 5hello')`,
  )
  expect(others).toEqual([])
  expect(await count(url, 'select count(*) from contacts', [])).toBe(contacts)
  expect(await count(url, 'select count(*) from automation_inbox', [])).toBe(0)
}
