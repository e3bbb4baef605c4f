import { createHmac } from 'node:crypto'
import { Pool } from 'undici'
import { serveParent } from './processes.ts'

export interface RawQuestion {
  origin: string
  /** The body to post, and how often. Each post is signed separately. */
  body: string
  count: number
  connections: number
}

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfnWe3Kzbg='
const key = Buffer.from(secret.slice('whsec_'.length), 'base64')

/**
 * Posts what the product sends, including headers and signatures, with undici alone: as many at once as there are
 * connections. Returns the milliseconds it took.
 */
async function post({ origin, body, count, connections }: RawQuestion): Promise<number> {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const started = performance.now()
  let sent = 0
  let ended = 0
  await new Promise<void>((resolve, reject) => {
    const next = () => {
      if (sent === count) return
      const id = `raw${sent++}`
      const seconds = String(Math.floor(Date.now() / 1000))
      pool.dispatch(
        {
          method: 'POST',
          path: '/hooks',
          body,
          headers: {
            'content-type': 'application/json',
            'user-agent': 'raw',
            'x-webhook-event': 'contact.created',
            'x-webhook-delivery': id,
            'x-webhook-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
            'webhook-id': id,
            'webhook-timestamp': seconds,
            'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`,
          },
        },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData() {},
          onResponseEnd() {
            if (++ended === count) return resolve()
            next()
          },
          onResponseError: (_, error) => reject(error),
        },
      )
    }
    for (let i = 0; i < connections; i++) next()
  })
  const elapsed = performance.now() - started
  await pool.close()
  return elapsed
}

serveParent<RawQuestion, { ms: number }>(
  async (question) => ({ ms: await post(question) }),
  async () => undefined,
)
