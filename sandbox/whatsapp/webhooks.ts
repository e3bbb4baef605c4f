import { createHmac, randomInt } from 'node:crypto'
import type { Calls } from '../calls.ts'
import type { BusinessNumber } from './number.ts'
import { webhookOf } from './payloads.ts'

export interface Webhooks extends Pick<Calls, 'run' | 'pause'> {
  /** Sends a signed webhook with retries. Resolves once it has arrived or is given up. */
  send(number: BusinessNumber, value: object): Promise<void>
  /** Verifies a webhook URL: it must know the token and return the challenge. */
  verify(url: string, verifyToken: string): Promise<boolean>
}

const timeoutMs = 15_000

/** Pauses before retries. Meta retries for seven days, ever less often; this carrier only for some minutes. */
const pausesMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000]

export const createWebhooks = (calls: Calls): Webhooks => ({
  run: calls.run,
  pause: calls.pause,
  async send({ url, token }, value) {
    if (url === '') return
    const body = webhookOf(value)
    const headers = {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${createHmac('sha256', token).update(body).digest('hex')}`,
    }
    for (const pauseMs of [...pausesMs, undefined]) {
      const called = await calls.send(url, { method: 'POST', headers, body, timeoutMs })
      if (pauseMs === undefined || (typeof called !== 'string' && called.status === 200)) return
      await calls.pause(pauseMs)
    }
  },
  async verify(url, verifyToken) {
    if (!/^https?:\/\//.test(url)) return false
    const challenge = String(randomInt(1_000_000_000))
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.challenge': challenge,
      'hub.verify_token': verifyToken,
    })
    const called = await calls.send(`${url}?${query}`, { method: 'GET', timeoutMs: 5_000 })
    return typeof called !== 'string' && called.status === 200 && called.body === challenge
  },
})
