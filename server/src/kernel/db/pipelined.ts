import pg from 'pg'
import type { Log } from '../log.ts'
import { toAppError } from './errors.ts'
import { type Call, type Result, type Statement, send, sendTogether } from './pipeline-batch.ts'
import { limitResponseTime } from './response-timeout.ts'

/** A connection that many callers share: statements are sent without waiting for earlier responses. */
export interface Pipelined extends AsyncDisposable {
  /** Returns the result of the last statement. */
  send(statements: readonly Statement[]): Promise<Result>
}

/** For this long after a failed attempt to connect, callers fail without another attempt. */
const retryAfterMs = 200

export interface PipelinedOptions {
  /**
   * Combine the statements of all callers within one turn of the event loop into one batch, which is one implicit
   * transaction. For reads only: a statement that fails would roll back other callers' writes.
   */
  combine: boolean
  responseTimeoutMs: number
  /** Called for every notification of a channel that the connection listens to. */
  onNotification?: (() => void) | undefined
}

/** Connects on first use, and again on the next use after the connection was lost. */
export function pipelined(
  config: pg.ClientConfig,
  log: Log,
  { combine, responseTimeoutMs, onNotification }: PipelinedOptions,
): Pipelined {
  const sendOn = combine ? sendCombined : send
  let connecting: Promise<pg.Client> | undefined
  let client: pg.Client | undefined
  let closed = false

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({ ...config, pipeline: true })
    limitResponseTime(fresh, responseTimeoutMs)
    fresh.on('error', (error) => {
      if (client === fresh) client = connecting = undefined
      if (!closed) log.warn({ err: error }, 'database connection lost')
    })
    if (onNotification !== undefined) fresh.on('notification', onNotification)
    try {
      await fresh.connect()
    } catch (error) {
      setTimeout(() => (connecting = undefined), retryAfterMs).unref()
      throw toAppError(error)
    }
    fresh.once('end', () => {
      if (client === fresh) client = connecting = undefined
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
 * Sends the statements in one batch with those of all other callers in this turn of the event loop. Each caller's statements
 * set their own tenant.
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
 * Calls after the first that fails are sent again: it fails alone. What precedes the last statement of a call are settings;
 * those that the call before it has made hold for it too.
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
    // Each alone, with its settings, to find out whose values cannot be sent.
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
