import pg from 'pg'
import { systemClock } from '#kernel/clock.ts'
import type { Ctx, Runtime } from '#kernel/context.ts'
import { createContext } from '#kernel/context.ts'
import type { Database } from '#kernel/db/database.ts'
import type { Queries } from '#kernel/db/handles.ts'
import { createLog } from '#kernel/log.ts'
import { subscriptionsOf } from '#kernel/subscription.ts'
import { allScopes } from '../../src/modules/access/public.ts'
import { automations } from '../../src/modules/automations/module.ts'
import { backfills } from '../../src/modules/backfills/module.ts'
import { changeComplianceSettings } from '../../src/modules/compliance/public.ts'
import { enrollments } from '../../src/modules/enrollments/module.ts'
import { modules } from '../../src/modules/index.ts'
import { captureLead } from '../../src/modules/leads/public.ts'
import { createConnection, createSender, listSenders } from '../../src/modules/senders/public.ts'
import { createWebhook } from '../../src/modules/webhooks/create-webhook.ts'
import { createMember, createWorkspace } from '../../src/modules/workspaces/public.ts'
import { openRuntime } from '../../src/runtime.ts'
import { hook } from './definitions.ts'
import type { Actor } from './lockstep.ts'

/** A database with the product, for any number of lives in sequence. */
export interface World extends AsyncDisposable {
  runtime: Runtime
  queue: Queries
  /** A connection that sees everything, and only observes. */
  watch: pg.Client
  countWaits(): Promise<number>
}

/**
 * `checked`: whether the product checks rows and locks. Planted bugs run without these checks, so that their effects are what exposes them.
 */
export async function openWorld(databaseUrl: string, checked = true): Promise<World> {
  await using opened = new AsyncDisposableStack()
  const runtime = openRuntime({
    databaseUrl,
    appSecrets: ['a secret that only the tests know, long enough'],
    clock: {
      ...systemClock,
      now: () => new Date(start),
      shared: () => new Date(start),
      elapsed: () => start,
    },
    log: createLog('silent'),
    checkRows: checked,
    egress: { allowHttp: 'none', allowPrivate: 'none' },
    origin: () => 'https://gable.example.com',
  })
  opened.use(runtime.database)
  // Uses the modules that this file imports, which may have a planted bug.
  const own = [automations, enrollments, backfills]
  const subscriptions = modules.map(
    (module) => own.find(({ endpoints }) => endpoints?.[0]?.path === module.endpoints?.[0]?.path) ?? module,
  )
  const queue = opened.use(runtime.database.across('gable_engine'))
  const watch = new pg.Client({ connectionString: databaseUrl, application_name: 'gable tests' })
  await watch.connect()
  opened.defer(() => watch.end())
  const all = opened.move()
  return {
    runtime: {
      ...runtime,
      subscriptions: subscriptionsOf(subscriptions.flatMap((module) => module.subscriptions ?? [])),
    },
    queue,
    watch,
    async countWaits() {
      const { rows } = await watch.query<{ waiting: number }>({
        name: 'waits',
        text: `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      })
      return rows[0]?.waiting ?? 0
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** A Monday, 8 am in New York. */
export const start = Date.UTC(2026, 2, 2, 13)

/** The runtime of one process of the product. */
export const runtimeOf = (
  { runtime }: World,
  { clock, database }: { clock: Actor['clock']; database: Database },
) => ({
  ...runtime,
  clock,
  database,
})

export const contextOf = (world: World, actor: Pick<Actor, 'clock' | 'database'>, workspaceId: string): Ctx =>
  createContext(runtimeOf(world, actor), {
    workspaceId,
    actor: { type: 'system', id: null, name: 'test' },
    scopes: new Set(allScopes),
  })

/** A workspace with contacts who may be sent texts and emails. */
export interface Place {
  id: string
  members: string[]
  senders: { id: string; channel: string; address: string; connectionId: string }[]
  people: { id: string; phone: string; email: string }[]
  webhookId: string
  /** The steps that have asked for a response from outside, as `enrollment:seq`. */
  asked: Set<string>
}

let places = 0

export async function openPlace(world: World, clock: Actor['clock'], people: number): Promise<Place> {
  const runtime = runtimeOf(world, { clock, database: world.runtime.database })
  const actor = { type: 'system', id: null, name: 'test' } as const
  const { id } = await createWorkspace(
    runtime,
    { name: 'Lantern & Oak', timezone: 'America/New_York' },
    actor,
  )
  const ctx = contextOf(world, runtime, id)
  await changeComplianceSettings(ctx, { postal_address: '48 Alder Court, New York, NY 10001' })
  const number = `+1212555${String(1000 + (places++ % 9000))}`
  const texts = await createConnection(ctx, {
    provider: 'twilio',
    name: 'Texts',
    account: `AC${id}`,
    simulated: true,
    secret: 'the token of the account',
  })
  await createSender(ctx, {
    connection_id: texts.id,
    kind: '10dlc',
    address: number,
    pace: 1000,
    registration: { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
  })
  const mails = await createConnection(ctx, {
    provider: 'email',
    name: 'Mail',
    account: 'office',
    secret: 'password',
    simulated: true,
  })
  await createSender(ctx, {
    connection_id: mails.id,
    kind: 'email',
    address: 'office@lantern.example',
    pace: 1000,
    registration: { domain_authenticated: true },
  })
  const senders = await listSenders(ctx.db)
  const members: string[] = []
  for (let i = 0; i < 2; i++)
    members.push(
      (await createMember(ctx, { name: 'A member', email: `${id}-${i}@gable.example`, role: 'agent' })).id,
    )
  const webhook = await createWebhook(ctx, hook as never, {})
  const known: Place['people'] = []
  for (let i = 0; i < people; i++) {
    const phone = `+1646555${String(1000 + i)}`
    const email = `ada${i}@reyes.example`
    const { lead } = await captureLead(ctx, {
      phone,
      email,
      source: 'Website',
      skip_routing: true,
      consent: { captured_at: '2026-01-02T15:00:00Z', source_url: 'https://lanternandoak.example/valuation' },
    })
    known.push({ id: lead.contact_id ?? '', phone, email })
  }
  return {
    id,
    members,
    senders: senders.map((one) => ({
      id: one.id,
      channel: one.channel,
      address: one.address,
      connectionId: one.connection_id,
    })),
    people: known,
    webhookId: webhook.row.id,
    asked: new Set(),
  }
}
