import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { allScopes } from '#modules/access/public.ts'
import { publishAutomation, createAutomation } from '#modules/automations/save-automation.ts'
import { enableAutomation } from '#modules/backfills/changes/enable-automation.ts'
import { createContact } from '#modules/contacts/public.ts'
import { createWorkspace } from '#modules/workspaces/public.ts'
import { connected } from '../databases.ts'

/** A brokerage with an automation in which people are enrolled. */
export interface Brokerage {
  ctx: Ctx
  automationId: string
}

const actor = { type: 'system', id: null, name: 'bench' }

/** The steps of each contact, all due at once. */
const steps = [
  { key: 'one', type: 'tag', tag: 'one' },
  { key: 'two', type: 'note', body: 'Called, no one there.' },
  { key: 'three', type: 'stage', stage: 'NURTURE' },
  { key: 'four', type: 'untag', tag: 'one' },
  { key: 'five', type: 'tag', tag: 'five' },
]
export const stepsEach = steps.length

export async function openBrokerage(runtime: Runtime, name: string): Promise<Brokerage> {
  const { id: workspaceId } = await createWorkspace(runtime, name, actor)
  const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set(allScopes) })
  const exits = [{ when: 'replied' }, { when: 'opted_out' }]
  const { id } = await createAutomation(ctx, { name: 'Nurture', definition: { exits, steps } as never })
  await publishAutomation(ctx, id)
  await enableAutomation(ctx, id)
  return { ctx, automationId: id }
}

/**
 * Enrolls `count` new people in the automation, all due at `dueAt`, and sets the lane as the engine does. Writes as
 * the owner of the tables, because a million requests would take hours.
 */
export async function fill(
  url: string,
  { ctx, automationId }: Brokerage,
  count: number,
  dueAt: Date,
): Promise<void> {
  const { workspaceId, clock } = ctx
  const { id: pattern } = await createContact(ctx, { first_name: 'Ada' })
  const idOf = (id: string) => `${id.slice(0, 14)}`
  const at = clock.now()
  await connected(url, async (client) => {
    await client.query('begin')
    await client.query(
      `insert into contacts select r.* from contacts t, generate_series(1, $3::int) n,
         jsonb_populate_record(t, jsonb_build_object('id', $4 || lpad(n::text, 11, '0'))) r
       where t.workspace_id = $1 and t.id = $2`,
      [workspaceId, pattern, count, idOf(newId(at))],
    )
    await client.query(
      `insert into enrollments (workspace_id, id, automation_id, version, contact_id, status, source, chain, step_key,
         seq, attempts, due_at, created_at, updated_at)
       select $1, $4 || right(id, 11), $2, 1, id, 'queued', 'api', '{}', 'one', 0, 0, $3, $5, $5
       from contacts where workspace_id = $1 and id <> $6`,
      [workspaceId, automationId, dueAt, idOf(newId(at)), at, pattern],
    )
    await client.query(
      `insert into automation_lanes (workspace_id, next_at, held_until, fence) values ($1, $2, $3, 0)
       on conflict (workspace_id) do update set next_at = $2`,
      [workspaceId, dueAt, at],
    )
    await client.query('commit')
  })
}
