import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '@gable/server/src/app.ts'
import { type Clock, systemClock } from '@gable/server/src/kernel/clock.ts'
import { createLog } from '@gable/server/src/kernel/log.ts'

/** What all processes of the benchmark share. Child processes inherit it. */
export interface Shared {
  appSecret: string
  /** Added to the clock, so that texts may be sent at this time of day whenever the benchmark runs. */
  shiftMs: number
  /** The URL of the simulated carrier, and the URL for its callbacks. */
  carrierUrl?: string
  publicUrl?: string
}

const variable = 'GABLE_BENCH_MESSAGES'

export const share = (shared: Shared): void => void (process.env[variable] = JSON.stringify(shared))

export const shared = (): Shared => JSON.parse(process.env[variable] ?? '') as Shared

export const clock = (): Clock => {
  const { shiftMs } = shared()
  return { ...systemClock, now: () => new Date(Date.now() + shiftMs) }
}

/** Milliseconds to shift the clock so that it is Tuesday noon in Chicago (1 pm in summer). */
export function untilTuesdayNoon(now = new Date()): number {
  const noon = new Date(now)
  noon.setUTCHours(18, 0, 0, 0)
  noon.setUTCDate(noon.getUTCDate() + ((9 - noon.getUTCDay()) % 7))
  if (noon < now) noon.setUTCDate(noon.getUTCDate() + 7)
  return noon.getTime() - now.getTime()
}

export async function openProduct(role: 'api' | 'worker', databaseUrl: string) {
  const { appSecret, carrierUrl, publicUrl } = shared()
  return startApp({
    role,
    databaseUrl,
    appSecrets: [appSecret],
    clock: clock(),
    log: createLog('warn'),
    checkRows: false,
    host: '127.0.0.1',
    port: 0,
    publicUrl,
    metrics: undefined,
    dataDir: join(tmpdir(), 'gable-bench'),
    trustProxy: 0,
    egress: { allowHttp: 'none', allowPrivate: 'none' },
    anonymousRateLimit: 1_000_000,
    simulatedCarrierUrl: carrierUrl,
  })
}

/** Starts the product for a server process. */
export async function startProduct(role: 'api' | 'worker', databaseUrl: string) {
  const app = await openProduct(role, databaseUrl)
  return { url: app.address ?? '', stop: async () => app[Symbol.asyncDispose]() }
}
