import { randomBytes } from 'node:crypto'
import { systemClock } from '@gable/server/src/kernel/clock.ts'
import { createContext } from '@gable/server/src/kernel/context.ts'
import { sql } from '@gable/server/src/kernel/db/sql.ts'
import { createLog } from '@gable/server/src/kernel/log.ts'
import { allScopes, createApiKey } from '@gable/server/src/modules/access/public.ts'
import { createContact } from '@gable/server/src/modules/contacts/public.ts'
import { listPipelines } from '@gable/server/src/modules/deals/public.ts'
import { createMember, createWorkspace } from '@gable/server/src/modules/workspaces/public.ts'
import { openRuntime } from '@gable/server/src/runtime.ts'

/** The workspace to measure. */
export interface Brokerage {
  workspaceId: string
  memberIds: string[]
  contactIds: string[]
  /** In order of `order_weight`. */
  pipelineIds: string[]
  keys: string[]
}

const actor = { type: 'system', id: null, name: 'bench' }

/** Creates a workspace with 100 members, 100 contacts, its pipelines, and this many API keys. */
export async function buildScene(databaseUrl: string, keys: number): Promise<Brokerage> {
  const runtime = openRuntime({
    databaseUrl,
    appSecrets: [randomBytes(32).toString('hex')],
    clock: systemClock,
    log: createLog('warn'),
    checkRows: false,
    egress: { allowHttp: 'none', allowPrivate: 'none' },
  })
  await using _database = runtime.database
  await using _egress = runtime.egress
  const { id: workspaceId } = await createWorkspace(runtime, 'Brokerage', actor)
  const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set(allScopes) })
  const made: Brokerage = { workspaceId, memberIds: [], contactIds: [], pipelineIds: [], keys: [] }
  made.pipelineIds = (await listPipelines(ctx.db, sql`order by order_weight`)).map(({ id }) => id)
  for (let n = 0; n < 100; n++) {
    const email = `agent${n}@brokerage.example`
    made.memberIds.push((await createMember(ctx, { name: `Agent ${n}`, email, role: 'agent' })).id)
    made.contactIds.push((await createContact(ctx, { first_name: `Client ${n}` })).id)
  }
  for (let n = 0; n < keys; n++) {
    const { key } = await createApiKey(ctx, { name: 'bench', scopes: [...allScopes], expires_in_days: 1 })
    made.keys.push(key)
  }
  return made
}
