import pg from 'pg'
import type { Log } from '../log.ts'
import { toAppError } from './errors.ts'
import type { Peers } from './peers.ts'
import { type Call, type Result, type Statement, send, sendTogether } from './pipeline-batch.ts'

/** A connection that many callers share. It sends statements without waiting for earlier responses. */
export interface Pipelined extends AsyncDisposable {
  /** Returns the result of the last statement. */
  send(statements: readonly Statement[]): Promise<Result>
}

export type OnNotification = (payload?: string) => void

/** After a failed attempt to connect, callers fail for this long without another attempt. */
const retryAfterMs = 200

export interface PipelinedOptions {
  /**
   * Whether to combine the statements of all callers within one turn of the event loop into one batch, which is one
   * implicit transaction. For reads, and for writes that may be lost: a failing
   * statement rolls back other callers' writes.
   */
  combine: boolean
  peers: Peers
  responseTimeoutMs: number
  /**
   * Called with the payload of every notification on a channel to which the connection listens, and without one when
   * the connection is lost: notifications may be lost with it.
   */
  onNotification?: OnNotification | undefined
}

/** Connects on first use. After the connection is lost, the next use connects again. */
export function pipelined(
  config: pg.ClientConfig,
  log: Log,
  { combine, peers, responseTimeoutMs, onNotification }: PipelinedOptions,
): Pipelined {
  const sendOn = combine ? sendCombined : send
  let connecting: Promise<pg.Client> | undefined
  let client: pg.Client | undefined
  let closed = false

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({ ...config, pipeline: true })
    peers.add(fresh, responseTimeoutMs)
    fresh.on('error', (error) => {
      if (client === fresh) client = connecting = undefined
      if (!closed) log.warn({ err: error }, 'database connection lost')
    })
    fresh.on('notification', ({ payload }) => onNotification?.(payload ?? ''))
    try {
      await fresh.connect()
    } catch (error) {
      setTimeout(() => (connecting = undefined), retryAfterMs).unref()
      throw toAppError(error)
    }
    fresh.once('end', () => {
      if (client === fresh) client = connecting = undefined
      if (!closed) onNotification?.()
    })
    client = fresh
    return fresh
  }

  return {
    send(statements) {
      if (client !== undefined) return sendOn(client, statements)
      return (connecting ??= connect()).then((ready) => sendOn(ready, statements))
    },
    async [Symbol.asyncDispose]() {
      closed = true
      await (await connecting?.catch(() => undefined))?.end()
    },
  }
}

const waitingCalls = new WeakMap<pg.Client, Call[]>()

/**
 * Sends the statements in one batch with those of all other callers in this turn of the event loop. Each caller's
 * statements set the tenant for that caller.
 */
function sendCombined(client: pg.Client, statements: readonly Statement[]): Promise<Result> {
  return new Promise((resolve, reject) => {
    const call = { statements, resolve, reject }
    const waiting = waitingCalls.get(client)
    if (waiting !== undefined) return void waiting.push(call)
    const calls: Call[] = [call]
    waitingCalls.set(client, calls)
    process.nextTick(() => {
      waitingCalls.delete(client)
      return sendCalls(client, calls)
    })
  })
}

/**
 * Sends calls as one batch. If a call fails, it fails alone: the calls after it are sent again. All statements of a
 * call except the last are settings. A call omits them if the previous call made the same settings.
 */
async function sendCalls(client: pg.Client, calls: readonly Call[]): Promise<void> {
  const sent = calls.map((call, i) =>
    haveSameSettings(call, calls[i - 1]) ? { ...call, statements: call.statements.slice(-1) } : call,
  )
  try {
    await sendTogether(client, sent, async (error, first, rest) => {
      first.reject(error)
      if (rest.length > 0) await sendCalls(client, calls.slice(-rest.length))
    })
  } catch (error) {
    // Send each call alone, with its settings, to find the one whose values cannot be sent.
    if (calls.length === 1) calls[0]?.reject(error)
    else await Promise.all(calls.map((call) => sendCalls(client, [call])))
  }
}

const haveSameSettings = ({ statements }: Call, before: Call | undefined) =>
  before?.statements.length === statements.length &&
  statements.slice(0, -1).every(({ text, values }, i) => {
    const other = before.statements[i]
    return text === other?.text && values.every((value, place) => value === other.values[place])
  })
