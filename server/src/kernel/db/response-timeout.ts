import type pg from 'pg'

type Client = pg.Client | pg.PoolClient

/** Longer than the statement timeout, so that the server cancels a slow statement first. */
export const defaultResponseTimeoutMs = 15_000

interface Pending {
  responses: number
  readonly timer: NodeJS.Timeout
}

const pending = new WeakMap<Client, Pending>()

/**
 * Closes the connection when a response is overdue: a vanished host sends nothing, and TCP alone waits for many
 * minutes. Pending queries then fail, and the next query reconnects. Call this once per new connection. `overdue` is
 * called after that.
 */
export function limitResponseTime(client: Client, timeoutMs: number, overdue: () => void): void {
  const close = () => {
    if (isIdle(client)) return
    client.connection.stream.destroy()
    overdue()
  }
  pending.set(client, { responses: 0, timer: setTimeout(close, timeoutMs).unref() })
}

/** Whether the connection owes no response. */
export const isIdle = (client: Client): boolean => (pending.get(client)?.responses ?? 0) === 0

/** Starts to wait for one more response. Call the returned function when it has arrived. */
export function expectResponse(client: Client): () => void {
  const state = pending.get(client)
  if (state === undefined) throw new Error('The connection has no response timeout.')
  if (state.responses === 0) state.timer.refresh()
  state.responses++
  return () => {
    state.responses--
    if (state.responses > 0) state.timer.refresh()
  }
}
