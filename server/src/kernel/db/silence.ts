import type pg from 'pg'

/** Longer than any statement may run, so that it is never the server that is merely slow. */
const silenceMs = 15_000

interface Debt {
  answers: number
  timer: NodeJS.Timeout
}

const debts = new WeakMap<pg.Client | pg.PoolClient, Debt>()

/**
 * Cuts a connection that owes an answer and stays silent: a host that has vanished says nothing, and TCP alone would
 * wait for many minutes. Whoever waits on it gets an error, and the next use connects anew. Call the result when the
 * answer has come.
 */
export function expectAnswer(client: pg.Client | pg.PoolClient): () => void {
  const debt = debts.get(client) ?? { answers: 0, timer: cutLater(client) }
  debts.set(client, debt)
  if (debt.answers === 0) debt.timer.refresh()
  debt.answers++
  return () => {
    debt.answers--
    if (debt.answers > 0) debt.timer.refresh()
  }
}

function cutLater(client: pg.Client | pg.PoolClient): NodeJS.Timeout {
  return setTimeout(() => {
    if ((debts.get(client)?.answers ?? 0) > 0) client.connection.stream.destroy()
  }, silenceMs).unref()
}
