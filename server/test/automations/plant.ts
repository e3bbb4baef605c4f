import { createRequire, registerHooks } from 'node:module'
import type * as life from './life.ts'
import type { nativeImport } from './native-import.ts'
import type { PlantedBug } from './planted-bug.ts'
import type * as world from './world.ts'

const product = new URL('../../src/modules/automations/', import.meta.url).href
const here = new URL('./', import.meta.url).href
const mark = '?planted='

const bugs = new Map<string, PlantedBug>()

/**
 * What a file with the mark imports of the module or of the simulation has the mark too, so that each bug has its own copy of both.
 * All else is shared.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    const [, name] = context.parentURL?.split(mark) ?? []
    const isOurs = resolved.url.startsWith(product) || resolved.url.startsWith(here)
    return name === undefined || !isOurs ? resolved : { ...resolved, url: resolved.url + mark + name }
  },
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const [path = '', name = ''] = url.split(mark)
    const bug = bugs.get(name)
    if (bug === undefined || path !== product + bug.file) return loaded
    const text = String(loaded.source)
    const times = text.split(bug.find).length - 1
    if (times !== 1)
      throw new Error(`The place of "${bug.name}" is ${times} times in ${bug.file}: ${bug.find}`)
    return { ...loaded, source: text.replace(bug.find, () => bug.replace) }
  },
})

/** The simulation on a copy of the product that has this bug, or none. */
export async function plant(bug?: PlantedBug): Promise<typeof life & typeof world> {
  const name = bug === undefined ? 'none' : String(bugs.size)
  if (bug !== undefined) bugs.set(name, bug)
  const native = createRequire(import.meta.url)('./native-import.ts') as { nativeImport: typeof nativeImport }
  const [lives, worlds] = await Promise.all(
    ['life.ts', 'world.ts'].map((file) => native.nativeImport(here + file + mark + name)),
  )
  return { ...(lives as typeof life), ...(worlds as typeof world) }
}
