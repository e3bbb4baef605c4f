import { type Runtime, createContext } from '#kernel/context.ts'
import { sql } from '#kernel/db/sql.ts'
import { newId } from '#kernel/ids.ts'
import { allScopes, createApiKey, defaultLifetimeDays } from '../modules/access/public.ts'
import { listPipelines } from '../modules/deals/public.ts'
import { WorkspaceCreated, findWorkspacesNamed, insertWorkspace } from '../modules/workspaces/public.ts'
import { nameAi } from './ai/name-ai.ts'
import { playAi } from './ai/play-ai.ts'
import { playAutomations } from './automations/play-automations.ts'
import { type Batch, inOneTransaction } from './batch.ts'
import { type Company, companies } from './brokerage.ts'
import { playCalls } from './calls/play-calls.ts'
import { playCampaigns } from './campaigns/play-campaigns.ts'
import { connectSenders } from './connect-senders.ts'
import { dayMs } from './diary.ts'
import { hire } from './hire.ts'
import { type DemoOwner, letOwnerSignIn } from './let-owner-sign-in.ts'
import { manage } from './manage.ts'
import { playMarket } from './market.ts'
import { playDocuments } from './play-documents.ts'
import { playStories } from './play-stories.ts'
import { playToday } from './play-today.ts'
import { seededRandom } from './random.ts'
import { type Scene, openScene } from './scene.ts'
import { playSearches } from './searches.ts'
import { playTexts } from './texts.ts'
import { writeStories } from './write-stories.ts'

const actor = { type: 'system', id: null, name: 'Demo data' }

export interface SeededWorkspace {
  id: string
  name: string
  /** Has all scopes and expires after 90 days. */
  api_key: string
  owner: DemoOwner
}

export interface SeedProgress {
  /** The name of the workspace in progress. */
  label: string
  done: number
  total: number
}

export interface SeedOptions {
  onProgress?: (progress: SeedProgress) => void
  /** Aborts seeding and rolls back the unfinished workspace. */
  signal?: AbortSignal
  /** Creates new workspaces even if some with these names exist. */
  again?: boolean
}

/**
 * Creates the demo workspaces, each of them completely or not at all. On the same day, the data is the same except for
 * IDs and secrets. An existing workspace stays as it is, but gets another API key, and its owner a new password.
 */
export async function seedDemo(
  given: Runtime,
  options: SeedOptions,
): Promise<{ workspaces: SeededWorkspace[] }> {
  // Demo data reaches no one, wherever it is created.
  const runtime = { ...given, simulatesProviders: true }
  const workspaces: SeededWorkspace[] = []
  for (const company of companies) {
    const [present] = options.again ? [] : await findWorkspacesNamed(runtime.database.directory, company.name)
    const workspace = present ?? (await establish(runtime, company, options))
    const ctx = createContext(runtime, { workspaceId: workspace.id, actor, scopes: new Set(allScopes) })
    const { key } = await createApiKey(ctx, {
      name: 'Demo',
      scopes: allScopes,
      expires_in_days: defaultLifetimeDays,
    })
    const owner = await letOwnerSignIn(runtime, ctx)
    workspaces.push({ id: workspace.id, name: workspace.name, api_key: key, owner })
  }
  return { workspaces }
}

/** The existing demo workspaces. */
export const findDemo = async ({ database }: Runtime) =>
  (await Promise.all(companies.map(({ name }) => findWorkspacesNamed(database.directory, name)))).flatMap(
    ([first]) => first ?? [],
  )

export const demoCount = companies.length

async function establish(
  runtime: Runtime,
  company: Company,
  { onProgress = () => undefined, signal }: SeedOptions,
) {
  const end = new Date(Math.floor(runtime.clock.now().getTime() / dayMs) * dayMs)
  const start = new Date(end.getTime() - (company.ageDays + 21) * dayMs + 15 * 3_600_000)
  const workspace = {
    id: newId(start),
    name: company.name,
    timezone: 'America/Chicago',
    currency: 'USD',
    test_mode: false,
    created_at: start.toISOString(),
    updated_at: start.toISOString(),
  }
  await inOneTransaction(runtime, workspace.id, async (batch) => {
    batch.clock.stand(start)
    await insertWorkspace(batch.directory, workspace)
    const ctx = createContext(batch.runtime, { workspaceId: workspace.id, actor, scopes: new Set() })
    await ctx.transaction((tx) => tx.emit(WorkspaceCreated, { id: workspace.id }))
    const staff = await hire(batch, workspace.id, company, end)
    await connectSenders(batch, workspace.id, company)
    const persona = await nameAi(ctx, company.name)
    const scene = openScene(batch, workspace.id, {
      agents: staff.agents,
      end,
      pipelines: await openStages(batch, workspace.id),
      random: seededRandom(company.seed + 1),
    })
    manage(scene, company, staff, end)
    const stories = writeStories(company, staff.agents, end)
    playStories(scene, stories)
    playMarket(scene, company, staff.agents, end)
    const automations = playAutomations(batch, scene, seededRandom(company.seed + 3), {
      end,
      ageDays: company.ageDays,
    })
    if (company.isMain) {
      playDocuments(scene, end)
      playTexts(scene, seededRandom(company.seed), end)
      playSearches(scene, end)
      playCalls(scene, seededRandom(company.seed + 2), end)
      playToday(scene, seededRandom(company.seed + 4), end)
      playCampaigns(scene, end)
    }
    let next = scene.agenda.next()
    for (let n = 0; next !== undefined; n++, next = scene.agenda.next()) {
      if (n % 10 === 0) onProgress({ label: company.name, done: scene.threads.length, total: stories.length })
      signal?.throwIfAborted()
      batch.clock.stand(next.at)
      await next.act()
      await automations.moveOn()
    }
    if (company.isMain) await playAi(batch, scene, persona, end)
    await automations.enrollLast()
    onProgress({ label: company.name, done: stories.length, total: stories.length })
  })
  return workspace
}

/** The workspace's pipelines by name, with the IDs of their open stages. */
async function openStages({ runtime }: Batch, workspaceId: string): Promise<Scene['pipelines']> {
  const db = runtime.database.reads(workspaceId)
  const all = await listPipelines(db, sql`order by id limit 1000`)
  return new Map(
    all.map(({ id, name, stages }) => [
      name,
      { id, open: stages.filter(({ outcome }) => outcome === 'open').map((stage) => stage.id) },
    ]),
  )
}
