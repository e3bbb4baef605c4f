import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { verify } from '@octokit/webhooks-methods'
import { Webhook } from 'standardwebhooks'

/** A request that has arrived completely. */
export interface Arrival {
  path: string
  event: string
  eventId: string
  deliveryId: string
  body: string
  /** performance.now() at its arrival. */
  at: number
  /** Whether both signatures, the contract's and that of Standard Webhooks, are valid for the endpoint's secret. */
  signed: boolean
}

/** A request that waits for its response. */
export interface Held {
  arrival: Arrival
  respond(): void
}

/** An endpoint's response: the status, now or later. */
export type Behavior = (arrival: Arrival) => number | Promise<number>

/** The endpoints of subscribers, each a path of one server. By default they respond 200 immediately. */
export interface Receiver extends AsyncDisposable {
  origin: string
  arrivals: Arrival[]
  /** By path. */
  secrets: Map<string, string>
  behaviors: Map<string, Behavior>
  /** The next request to any endpoint. Call `respond` to respond to it. */
  hold(): Promise<Held>
  /** The maximum number of concurrent requests that the endpoint had. */
  crowd(path: string): number
}

interface Visit {
  /** The other side has closed it. */
  cut: boolean
}

/** For this long the end of a request may be noticed after the start of a later one. */
const unnoticedMs = 50

export async function startReceiver(): Promise<Receiver> {
  const visits = new Map<string, Set<Visit>>()
  const crowds = new Map<string, number>()
  const holds: ((held: Held) => void)[] = []

  function count(path: string, here: ReadonlySet<Visit>): void {
    const noted = () => crowds.get(path) ?? 0
    if (here.size <= noted()) return
    const now = [...here]
    setTimeout(() => {
      crowds.set(path, Math.max(noted(), now.filter(({ cut }) => !cut).length))
    }, unnoticedMs)
  }

  async function statusFor(arrival: Arrival): Promise<number> {
    const take = holds.shift()
    if (take !== undefined) await new Promise<void>((respond) => take({ arrival, respond }))
    return receiver.behaviors.get(arrival.path)?.(arrival) ?? 200
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const here = visits.get(path) ?? new Set()
    visits.set(path, here)
    const visit: Visit = { cut: false }
    here.add(visit)
    response.on('close', () => {
      visit.cut ||= !response.writableFinished
      here.delete(visit)
    })
    count(path, here)
    const body = await text(request)
    const arrival = await arrivalOf(request, body, receiver.secrets.get(path))
    receiver.arrivals.push(arrival)
    const status = await statusFor(arrival)
    // Before the response is sent: requests that follow from it arrive later.
    here.delete(visit)
    response.writeHead(status).end()
  }

  const server = createServer((request, response) => {
    // A request whose sender disconnected before its end has not arrived.
    receive(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals: [],
    secrets: new Map(),
    behaviors: new Map(),
    hold: () => new Promise((resolve) => holds.push(resolve)),
    crowd: (path) => crowds.get(path) ?? 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

async function arrivalOf(
  request: IncomingMessage,
  body: string,
  secret: string | undefined,
): Promise<Arrival> {
  const at = performance.now()
  const header = (name: string) => String(request.headers[name])
  return {
    path: request.url ?? '',
    event: header('x-webhook-event'),
    eventId: header('webhook-id'),
    deliveryId: header('x-webhook-delivery'),
    body,
    at,
    signed:
      secret !== undefined &&
      (await verify(secret, body, header('x-webhook-signature'))) &&
      isStandard(secret, body, request),
  }
}

function isStandard(secret: string, body: string, { headers }: IncomingMessage): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}
