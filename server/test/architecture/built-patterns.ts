import { isMainThread, parentPort } from 'node:worker_threads'

/** A regular expression that the code builds from strings, and the file that builds it. */
export interface BuiltPattern {
  pattern: string
  flags: string
  path: string
}

/** Runs as a thread, in which no module is loaded yet: loads the app, and reports which regular expressions it built. */
async function reportBuiltPatterns(): Promise<void> {
  const found: BuiltPattern[] = []
  const note = ({ source: pattern, flags }: RegExp): void => {
    const [, path] = /at [^\n]*\/(server\/src\/[\w/.-]+\.ts):/.exec(new Error('Where').stack ?? '') ?? []
    if (path !== undefined) found.push({ pattern, flags, path })
  }
  const make = (given: unknown[], build: () => RegExp): RegExp => {
    const made = build()
    if (typeof given[0] === 'string') note(made)
    return made
  }
  globalThis.RegExp = new Proxy(RegExp, {
    apply: (target, self, given) => make(given, () => Reflect.apply(target, self, given) as RegExp),
    construct: (target, given, as) => make(given, () => Reflect.construct(target, given, as) as RegExp),
  })
  await import('../../src/app.ts')
  const { endpoints, personEndpoints } = await import('../../src/api.ts')
  for (const { method, path, body } of [...endpoints, ...personEndpoints])
    for (const pattern of patternsIn(body)) found.push({ pattern, flags: 'u', path: `${method} ${path}` })
  parentPort?.postMessage(found)
}

/** The patterns of a schema, from which validation builds regular expressions. */
function patternsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, member]) =>
    name === 'pattern' && typeof member === 'string' ? [member] : patternsIn(member),
  )
}

if (!isMainThread && parentPort !== null) await reportBuiltPatterns()
