import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '@gable/server/src/app.ts'
import { systemClock } from '@gable/server/src/kernel/clock.ts'
import { createLog } from '@gable/server/src/kernel/log.ts'
import { serveParent } from './processes.ts'

export type WorkerQuestion =
  /** Asks whether the process has loaded the product. */
  { ask: 'loaded' } | { ask: 'start'; databaseUrl: string; appSecret: string }

let stop = async (): Promise<unknown> => undefined

/** The product as deployed: `gable serve --role worker`. */
serveParent<WorkerQuestion, object>(
  async (question) => {
    if (question.ask === 'loaded') return {}
    const { databaseUrl, appSecret } = question
    const app = await startApp({
      role: 'worker',
      databaseUrl,
      appSecrets: [appSecret],
      clock: systemClock,
      log: createLog('warn'),
      checkRows: false,
      host: '127.0.0.1',
      port: 0,
      metrics: undefined,
      dataDir: join(tmpdir(), 'gable-bench'),
      trustProxy: 0,
      egress: { allowHttp: 'loopback', allowPrivate: 'loopback' },
      anonymousRateLimit: 600,
    })
    stop = async () => app[Symbol.asyncDispose]()
    return {}
  },
  () => stop(),
)
