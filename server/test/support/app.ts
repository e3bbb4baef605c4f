import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext } from '#kernel/context.ts'
import type { EgressOptions } from '#kernel/egress/egress.ts'
import { type Log, createLog } from '#kernel/log.ts'
import { apiBase } from '../../src/api.ts'
import { type App, type AppOptions, startApp } from '../../src/app.ts'
import { type NewApiKey, allScopes, createApiKey } from '../../src/modules/access/public.ts'
import { createMember, createWorkspace } from '../../src/modules/workspaces/public.ts'
import { type Client, type TestWorkspace, createClient } from './client.ts'
import { type TestClock, testClock } from './clock.ts'
import { requiresSignIn } from './contract.ts'
import { asOwner, workerDatabase } from './database.ts'
import { keptDatabase } from './kept-database.ts'
import { signedInOwner } from './session-client.ts'

export type { TestWorkspace } from './client.ts'

export interface TestApp extends App {
  url: string
  base: string
  clock: TestClock
  databaseUrl: string
  workspace(draft?: Parameters<typeof createWorkspace>[1]): Promise<TestWorkspace>
  /** Returns a client with a new key in a new workspace. */
  credential(...scopes: string[]): Promise<Client>
  anonymous: Client
}

export interface TestAppOptions {
  now?: Date | string
  /** By default one that stands still at `now`. */
  clock?: TestClock
  databaseUrl?: string
  anonymousRateLimit?: number
  trustProxy?: number
  role?: 'api' | 'all'
  egress?: EgressOptions
  log?: Log
  publicUrl?: string
  responseTimeoutMs?: number
  smtp?: AppOptions['smtp']
  onCaught?: AppOptions['onCaught']
  simulatedCarrierUrl?: string
  simulatesProviders?: boolean
  /** Whether requests are logged. They are not by default: the log would grow while a test reads it. */
  logsRequests?: boolean
  s3?: AppOptions['s3']
}

/** As in production. Every name resolves to a public address. */
const publicOnly: EgressOptions = {
  allowHttp: 'none',
  allowPrivate: 'none',
  resolve: async () => [{ address: '93.184.215.14', family: 4 }],
}

/** For receivers on this machine. */
export const towardsLoopback: EgressOptions = { allowHttp: 'loopback', allowPrivate: 'loopback' }

/** The application secret of every test's server. */
export const appSecret = 'a secret that only the tests know, long enough'

/** The data directory of this process. Removed when it exits. */
const dataDir = join(tmpdir(), `gable-tests-${process.pid}`)
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))

let people = 0

/** Starts the whole application on a free port, on a real database, with a clock that the test controls. */
export async function testApp({
  now = '2026-03-02T15:00:00.000Z',
  clock = testClock(now),
  databaseUrl,
  anonymousRateLimit = 1_000_000,
  trustProxy = 0,
  role = 'api',
  egress = publicOnly,
  log,
  publicUrl,
  responseTimeoutMs,
  smtp,
  onCaught,
  simulatedCarrierUrl,
  simulatesProviders = true,
  logsRequests = false,
  s3,
}: TestAppOptions = {}): Promise<TestApp> {
  const url = databaseUrl ?? (await workerDatabase())
  // All test files of a worker sign in from one address at one time. None may be locked out because of the others'
  // attempts.
  await asOwner(url, 'delete from sign_in_attempts')
  const app = await startApp({
    role,
    databaseUrl: url,
    database: (databaseUrl ?? log ?? responseTimeoutMs) === undefined ? keptDatabase(url) : undefined,
    appSecrets: [appSecret],
    clock,
    log: log ?? createLog('silent'),
    checkRows: true,
    host: '127.0.0.1',
    port: 0,
    publicUrl,
    metrics: undefined,
    trustProxy,
    anonymousRateLimit,
    egress,
    responseTimeoutMs,
    smtp,
    onCaught,
    simulatedCarrierUrl,
    simulatesProviders,
    logsRequests,
    dataDir,
    s3,
  })
  const { runtime } = app
  const base = `${app.address}${apiBase}`

  const actor = { type: 'system', id: null, name: 'test' }
  async function workspace(
    draft: Parameters<typeof createWorkspace>[1] = 'A brokerage',
  ): Promise<TestWorkspace> {
    const { id } = await createWorkspace(runtime, draft, actor)
    const ctx = createContext(runtime, {
      workspaceId: id,
      actor,
      scopes: new Set(allScopes),
    })
    const newKey = (options: Omit<NewApiKey, 'name'>) =>
      createApiKey(ctx, { name: 'A key', expires_in_days: 90, ...options })
    async function limited(options: Omit<NewApiKey, 'name'>): Promise<Client> {
      const { key, row } = await newKey(options)
      return createClient(base, { key, keyId: row.id })
    }
    let owner: ReturnType<typeof signedInOwner> | undefined
    async function unlimited(): Promise<Client> {
      const { key, row } = await newKey({ scopes: allScopes })
      return createClient(base, {
        key,
        keyId: row.id,
        workspace: here,
        headers: async (method, path) =>
          requiresSignIn(method, path) ? (await here.owner())() : { authorization: `token ${key}` },
      })
    }
    const here: TestWorkspace = {
      id,
      ctx,
      async enterTestMode() {
        await asOwner(url, 'update workspaces set test_mode = true where id = $1', [id])
        runtime.testClocks.forget(id)
      },
      owner: () => (owner ??= signedInOwner(testedApp, here)),
      credential: (...scopes) => (scopes.length === 0 ? unlimited() : limited({ scopes })),
      creator: (...scopes) => limited({ scopes, created_by_self: true }),
      keyFor: (member_id) => limited({ scopes: allScopes, member_id }),
      member: (personName = 'A member') =>
        createMember(ctx, {
          name: personName,
          email: `member-${process.pid}-${++people}@gable.example`,
          role: 'agent',
        }),
    }
    return here
  }

  const testedApp: TestApp = {
    ...app,
    url: app.address ?? '',
    base,
    clock,
    databaseUrl: url,
    workspace,
    credential: async (...scopes) => (await workspace()).credential(...scopes),
    anonymous: createClient(base),
  }
  return testedApp
}
