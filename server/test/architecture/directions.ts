import { type Import, type Source, at, isTest } from './source.ts'

const src = 'server/src/'

/** The layer of a file in `main, serve, cli → app, api, seed, … → modules, adapters → kernel`. */
type Place =
  | { layer: 'entry' | 'composition' | 'index' | 'kernel' }
  | { layer: 'module' | 'adapter'; name: string }
  | { layer: 'outside' }

function placeOf(path: string): Place {
  if (!path.startsWith(src)) return { layer: 'outside' }
  const [folder = '', name = ''] = path.slice(src.length).split('/')
  if (folder === 'kernel') return { layer: folder }
  if (folder === 'modules') return name === 'index.ts' ? { layer: 'index' } : { layer: 'module', name }
  if (folder === 'adapters') return { layer: 'adapter', name }
  return {
    layer: ['main.ts', 'run-server.ts', 'run-program.ts', 'serve.ts', 'cli'].includes(folder)
      ? 'entry'
      : 'composition',
  }
}

/** Parts that do not depend on Gable. Only program entry points may import them. */
const standAlone = /^(postgres|sandbox)\//

const isFile = (path: string, name: string) => path.endsWith(`/${name}`)

/** Rules 1 to 3 and 6: what is wrong with an import. Undefined if nothing is. */
function faultOf({ path }: Source, { target, typeOnly }: Import): string | undefined {
  const from = placeOf(path)
  const to = placeOf(target)
  if (from.layer === 'outside') return undefined
  if (target.startsWith('server/test/')) return 'product code does not know the tests'
  if (standAlone.test(target))
    return from.layer === 'entry' && /^\w+\/start\.ts$/.test(target)
      ? undefined
      : 'main, serve and cli know the sandbox and the embedded PostgreSQL, each by its start.ts'
  if (to.layer === 'outside') return undefined
  if (
    to.layer === 'adapter' &&
    !(from.layer === 'adapter' && (from.name === to.name || isFile(target, to.name))) &&
    path !== `${src}app.ts`
  ) {
    return 'only app.ts knows adapters'
  }
  switch (from.layer) {
    case 'kernel':
      return to.layer === 'kernel' ? undefined : 'the kernel knows nothing above it'
    case 'index':
      return to.layer === 'kernel' || isFile(target, 'module.ts') || (typeOnly && isFile(target, 'ports.ts'))
        ? undefined
        : 'the index knows modules by their module.ts, and ports as types'
    case 'module':
      return moduleFault(from.name, to, target)
    case 'adapter':
      return adapterFault(to, target, typeOnly)
    case 'composition':
      if (to.layer === 'entry') return 'main, serve and cli are the top: nothing points back up'
  }
  if (to.layer !== 'module' || isFile(target, 'public.ts')) return undefined
  return path === `${src}app.ts` && isFile(target, 'ports.ts')
    ? undefined
    : 'a module is known by its public.ts only'
}

function moduleFault(name: string, to: Place, target: string): string | undefined {
  if (to.layer === 'kernel' || (to.layer === 'module' && to.name === name)) return undefined
  if (to.layer !== 'module') return 'modules know the kernel and each other, and nothing above'
  return isFile(target, 'public.ts') ? undefined : `of another module only public.ts may be imported`
}

function adapterFault(to: Place, target: string, typeOnly: boolean): string | undefined {
  if (to.layer === 'kernel' || to.layer === 'adapter') return undefined
  if (to.layer !== 'module' || !isFile(target, 'ports.ts'))
    return "an adapter knows a module's ports.ts and the kernel only"
  return typeOnly ? undefined : "an adapter knows a module's ports.ts as types only: import type"
}

/** Violations of rules 1, 2, 3, and 6. */
export const wrongDirections = (sources: readonly Source[]): string[] =>
  sources
    .filter((source) => !isTest(source))
    .flatMap((source) =>
      source.imports.flatMap((one) => {
        const fault = faultOf(source, one)
        return fault === undefined ? [] : at(source, one.offset, `imports ${one.target}: ${fault}`)
      }),
    )

const readName = /^(find|list|search|count)([A-Z]|$)|^[A-Z]|Filters$/

/** Rule 4: an endpoint may use only the reads of `queries.ts` and `…-queries.ts`, even through another module's public.ts. */
export function writesFromEndpoints(sources: readonly Source[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const origin = (target: string, name: string): { target: string; name: string } => {
    const next = byPath.get(target)?.reExports.get(name)
    return next === undefined ? { target, name } : origin(next.target, next.name)
  }
  return sources
    .filter(({ path }) => isFile(path, 'endpoints.ts'))
    .flatMap((source) =>
      source.imports
        .filter((one) => !one.typeOnly)
        .flatMap(({ target, names, offset }) =>
          (names.length === 0 ? ['everything'] : names)
            .map((name) => origin(target, name))
            .filter((from) => from.target.endsWith('queries.ts') && !readName.test(from.name))
            .map(({ name }) =>
              at(source, offset, `takes ${name} from queries: an endpoint writes through a use case`),
            ),
        ),
    )
}
