/** A terminal's Ctrl-C reaches us twice under npm: once from the terminal and once handed on by npm. */
const sameKeyMs = 1000

/** The first signal asks for an orderly end; another, a while later, does not wait for it. */
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
