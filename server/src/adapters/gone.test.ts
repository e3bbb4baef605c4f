import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { twilioAccount } from '#test/support/accounts.ts'
import { open } from '../modules/compliance/public.ts'
import { retellCarrier } from './retell/retell-carrier.ts'
import { twilioCarrier } from './twilio/twilio-carrier.ts'
import { twilioVoice } from './twilio/twilio-voice.ts'

let content = ''
const server = createServer((request, response) =>
  request.resume().once('end', () => response.writeHead(404).end(content)),
)
const egress = createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback' })
const options = {
  egress,
  mediaEgress: egress,
  open,
  clock: systemClock,
  origin: () => 'https://gable.example',
  simulatedUrl: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
}
const account = { ...twilioAccount, simulated: true }
const texts = twilioCarrier(options as never)
const calls = { twilio: twilioVoice(options as never), retell: retellCarrier(options as never) }

beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')))
afterAll(async () => {
  await egress[Symbol.asyncDispose]()
  server.close()
})

test.for([
  ['the page of a proxy', '<h1>nginx</h1>', false],
  ['an empty response', '', false],
  [
    'an error of the provider',
    '{"code":20404,"message":"The requested resource was not found","status":404}',
    true,
  ],
] as const)(
  'if %s comes with 404, what was to be erased is gone only by the word of the provider',
  async ([, body, isGone]) => {
    content = body
    expect(await texts.forget?.(account, 'SM1')).toBe(isGone)
    expect(await calls.twilio.erase?.(account, 'CA1')).toBe(isGone)
    expect(await calls.retell.erase?.(account, 'call_1')).toBe(isGone)
    const status = await texts.readStatus?.(account, 'SM1').catch((error: unknown) => String(error))
    expect(status).toEqual(isGone ? undefined : expect.stringContaining('404'))
  },
)
