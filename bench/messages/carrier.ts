import { startCarrier } from '@gable/sandbox/start.ts'
import { serve } from '../server-process.ts'
import { clock } from './product.ts'

/** The simulated carrier in a separate process. */
await serve(async () => {
  const { now } = clock()
  const carrier = await startCarrier({ host: '127.0.0.1', port: 0, now })
  return { url: carrier.origin, stop: async () => carrier[Symbol.asyncDispose]() }
})
