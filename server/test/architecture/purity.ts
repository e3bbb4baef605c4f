import { type Source, at, isTest } from './source.ts'

const routing = 'server/src/modules/routing/'
const pure = [`${routing}decide/`, `${routing}rules/`, 'server/src/kernel/conditions/']

/**
 * Imports that make the routing decision impure. It must be a pure function, so that a preview, a backtest, and a
 * live decision agree. Everything that `routing/decide` imports, directly or indirectly, must be in `routing/decide`,
 * `routing/rules`, or `kernel/conditions` and must not import anything else.
 */
export function impureImports(sources: readonly Source[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const seen = new Set<string>()
  const found: string[] = []
  const follow = (source: Source): void => {
    if (seen.has(source.path)) return
    seen.add(source.path)
    for (const { target, typeOnly, offset } of source.imports) {
      if (typeOnly) continue
      const next = pure.some((folder) => target.startsWith(folder)) ? byPath.get(target) : undefined
      if (next === undefined) found.push(at(source, offset, `${target}: the routing decision does no I/O`))
      else follow(next)
    }
  }
  for (const source of sources)
    if (source.path.startsWith(`${routing}decide/`) && !isTest(source)) follow(source)
  return found
}
