import type { Clock } from '#kernel/clock.ts'
import type { Runtime } from '#kernel/context.ts'
import { clockWatch } from '#kernel/db/clock-watch.ts'
import { type Database, openDatabase } from '#kernel/db/database.ts'
import type { EgressOptions } from '#kernel/egress/egress.ts'
import type { EventTypes } from '#kernel/events/event.ts'
import type { Log } from '#kernel/log.ts'
import type { Module } from '#kernel/module.ts'
import type { Reachable } from '#kernel/references.ts'
import { keyRing } from '#kernel/secrets.ts'
import { subscriptionsOf } from '#kernel/subscription.ts'
import { testClocks } from '#kernel/workspace-clock.ts'
import { openEgress } from './egress-kinds.ts'
import { unmaskingScope } from './modules/access/public.ts'
import { modules } from './modules/index.ts'
import { findClockAhead } from './modules/workspaces/public.ts'

export interface RuntimeOptions {
  databaseUrl: string
  /** Connections to use instead of opening some. Disposing of the app disposes of them too. */
  database?: Database | undefined
  appSecrets: readonly string[]
  clock: Clock
  log: Log
  /** Whether to check every row against its schema. */
  checkRows: boolean
  /** As in `DatabaseOptions`. */
  responseTimeoutMs?: number | undefined
  /** The addresses that may be called when people choose them. */
  egress: EgressOptions
  /** Whether there is a simulated carrier for connections that use it. True by default. */
  simulatesProviders?: boolean
  /** The server's public URL, without a trailing slash. Without it, no links can be written. */
  origin?: () => string
}

/** Opens what use cases need, without a server around it. For the command line and the seed. */
export function openRuntime({
  databaseUrl,
  database,
  appSecrets,
  clock,
  log,
  checkRows,
  responseTimeoutMs,
  egress,
  simulatesProviders = true,
  origin = () => '',
}: RuntimeOptions): Runtime {
  const opened = database ?? openDatabase({ url: databaseUrl, log, checked: checkRows, responseTimeoutMs })
  const watch = clockWatch(opened, clock, log)
  return {
    database: opened,
    clock,
    testClocks: testClocks(findClockAhead),
    clockWatch: watch,
    mayBegin: watch.isRight,
    log,
    eventTypes: eventTypesOf(modules),
    reachableFiles: modules.flatMap(({ reachableFiles: list }) => list ?? []),
    reachable: Object.assign({}, ...modules.map((module) => module.reachable)) as Reachable,
    subscriptions: subscriptionsOf(modules.flatMap((module) => module.subscriptions ?? [])),
    keys: keyRing(appSecrets),
    egress: openEgress('hooks', egress),
    unmaskingScope,
    simulatesProviders,
    origin,
  }
}

/** The events of all modules, by name. */
export const eventTypesOf = (all: readonly Module<never>[]): EventTypes =>
  new Map(all.flatMap(({ events = [] }) => events).map((type) => [type.name, type]))
