/** Under npm, Ctrl-C in a terminal arrives twice: once from the terminal and once forwarded by npm. */
const sameKeyMs = 1000

/**
 * Resolves with the first signal, which requests an orderly shutdown. Another signal more than a second later exits
 * at once.
 */
export function nextSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  let askedAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (askedAt !== undefined && performance.now() - askedAt > sameKeyMs) process.exit(130)
      askedAt ??= performance.now()
      resolve(signal)
    })
  }
  return promise
}
