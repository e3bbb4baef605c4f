import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '@gable/server/src/app.ts'
import { systemClock } from '@gable/server/src/kernel/clock.ts'
import { createLog } from '@gable/server/src/kernel/log.ts'
import { serve } from './server-process.ts'

/** The product as deployed: `gable serve --role api`. */
await serve(async (databaseUrl, { logsRequests = true }) => {
  const app = await startApp({
    role: 'api',
    databaseUrl,
    appSecrets: [randomBytes(32).toString('hex')],
    clock: systemClock,
    log: createLog('warn'),
    checkRows: false,
    logsRequests,
    host: '127.0.0.1',
    port: 0,
    metrics: undefined,
    dataDir: join(tmpdir(), 'gable-bench'),
    trustProxy: 0,
    egress: { allowHttp: 'none', allowPrivate: 'none' },
    anonymousRateLimit: 600,
  })
  if (app.address === undefined) throw new Error('The API does not listen.')
  return { url: app.address, stop: () => Promise.resolve(app[Symbol.asyncDispose]()) }
})
