import { systemClock } from '#kernel/clock.ts'
import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'
import { createLog } from '#kernel/log.ts'
import { allScopes } from '../../src/modules/access/public.ts'
import { openRuntime } from '../../src/runtime.ts'

/** A runtime on this database, as commands use it. The caller must dispose of its database. */
export const operatorRuntime = (databaseUrl: string): Runtime =>
  openRuntime({
    databaseUrl,
    appSecrets: [],
    clock: systemClock,
    log: createLog('silent'),
    checkRows: true,
    egress: { allowHttp: 'none', allowPrivate: 'none' },
  })

export const actor = { type: 'operator', id: null, name: 'test' }

export const operatorIn = (runtime: Runtime, workspaceId: string): Ctx =>
  createContext(runtime, { workspaceId, actor, scopes: new Set(allScopes) })
