import { createHash, randomBytes } from 'node:crypto'
import { type CarrierOptions, startCarrier } from '@gable/sandbox/start.ts'
import { systemClock } from '#kernel/clock.ts'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { twilioCarrier } from '../../src/adapters/twilio/twilio-carrier.ts'
import { whatsAppCarrier } from '../../src/adapters/whatsapp/whatsapp-carrier.ts'
import type { Cleared } from '../../src/modules/compliance/public.ts'
import type {
  CallbackReport,
  Carrier,
  OutgoingMessage,
  ProviderAccount,
} from '../../src/modules/messages/ports.ts'
import { type Arrived, type Response, startCallbackServer } from './callback-server.ts'

const id = (text: string) => `c${createHash('sha256').update(text).digest('hex').slice(0, 24)}`

export interface SimulatedOptions extends Partial<CarrierOptions> {
  /** The callback server's response; 200 by default. */
  respond?: (arrived: Arrived) => Response
  timeoutMs?: number
}

const adapters = { twilio: twilioCarrier, whatsapp: whatsAppCarrier }

/** The simulated carrier, an account with a number on it, the adapter, and a server for the account's callbacks. */
export async function startSimulated(
  { respond = () => ({ status: 200 }), timeoutMs = 2_000, ...options }: SimulatedOptions = {},
  provider: keyof typeof adapters = 'twilio',
) {
  await using opened = new AsyncDisposableStack()
  const { origin, arrived, until } = opened.use(
    await startCallbackServer((one) => {
      const challenge = one.method === 'GET' ? read(one)?.response?.body : undefined
      return challenge === undefined ? respond(one) : { status: 200, body: challenge }
    }),
  )
  const simulated = opened.use(
    await startCarrier({ host: '127.0.0.1', port: 0, now: systemClock.now, deliveryMs: 5, ...options }),
  )
  const egress = opened.use(createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback', timeoutMs }))
  let next: OutgoingMessage | undefined
  const adapter: Carrier = adapters[provider]({
    egress,
    mediaEgress: egress,
    open: () => next as OutgoingMessage,
    clock: systemClock,
    origin: () => origin,
    simulatedUrl: () => simulated.origin,
  })
  const account: ProviderAccount = {
    id: id('connection'),
    workspaceId: id('workspace'),
    provider,
    name: `AC${randomBytes(16).toString('hex')}`,
    settings: {},
    simulated: true,
    secrets: ['the-token'],
  }
  const number = '+15125550100'
  /** Reads a callback with the adapter, which reads short ones at once. */
  const read = (one: Arrived, by = account) => adapter.readCallback(by, one) as CallbackReport | undefined
  const all = opened.move()
  return {
    ...simulated,
    adapter,
    account,
    number,
    arrived,
    until,
    send(
      to: string,
      body: string | null = 'Hello',
      { by = account, template = null as OutgoingMessage['template'] } = {},
    ) {
      next = {
        attemptId: id(`${to} ${body}`),
        channel: provider === 'twilio' ? 'sms' : 'whatsapp',
        from: number,
        to,
        subject: null,
        body,
        bodyHtml: null,
        template,
        email: null,
      }
      return adapter.send(by, { validUntil: Infinity } as Cleared<OutgoingMessage>)
    },
    attemptOf: (to: string, body: string | null = 'Hello') => id(`${to} ${body}`),
    read,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
