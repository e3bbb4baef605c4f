import type { Called, Calls } from '../calls.ts'
import { signatureOf } from './signature.ts'

export interface Callbacks extends Pick<Calls, 'run' | 'pause'> {
  /**
   * Sends a signed callback, with the retries that the URL's fragment asks for. Resolves once it has arrived or is
   * given up. Returns the response body, or an empty string if there is none.
   */
  send(url: string, parameters: Readonly<Record<string, string>>, token: string): Promise<string>
}

/** Twilio gives up after 15 s, regardless of the number of attempts. */
const totalMs = 15_000

/** Pauses before the second, third, … attempt. */
const pausesMs = [200, 500, 1_000, 2_000, 4_000]

export const createCallbacks = (calls: Calls): Callbacks => ({
  run: calls.run,
  pause: calls.pause,
  async send(url, parameters, token) {
    const until = performance.now() + totalMs
    const body = new URLSearchParams(parameters).toString()
    const headers = {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'x-twilio-signature': signatureOf(token, url, parameters),
    }
    const { count, isRepeated } = retriesOf(url)
    for (let tried = 0; ; tried++) {
      const called = await calls.send(url, { method: 'POST', headers, body, timeoutMs: totalMs })
      const failure = failureOf(called)
      if (failure === undefined) return typeof called === 'string' ? '' : called.body
      const pauseMs = pausesMs[tried] ?? 0
      if (tried >= count || !isRepeated(failure) || performance.now() + pauseMs > until) return ''
      await calls.pause(pauseMs)
    }
  },
})

type Failure = 'ct' | 'rt' | '4xx' | '5xx'

function failureOf(called: Called): Failure | undefined {
  if (typeof called === 'string') return called === 'no connection' ? 'ct' : 'rt'
  if (called.status < 400) return undefined
  return called.status < 500 ? '4xx' : '5xx'
}

/** Parses the retry policy, such as `#rc=5&rp=all`. By default, one retry if the connection fails. */
function retriesOf(url: string) {
  const settings = new URLSearchParams(url.replace(/^[^#]*#?/, ''))
  const policies = (settings.get('rp') ?? 'ct').split(',')
  return {
    count: Math.min(Number(settings.get('rc') ?? 1), pausesMs.length),
    isRepeated: (failure: Failure) => policies.includes('all') || policies.includes(failure),
  }
}
