import { createRequire, registerHooks } from 'node:module'
import type * as life from './life.ts'
import type { nativeImport } from './native-import.ts'
import type { PlantedBug } from './planted-bug.ts'
import type * as world from './world.ts'

const product = new URL('../../src/modules/', import.meta.url).href
/** The modules of which each bug gets a copy. */
const own = ['automations', 'enrollments', 'backfills'].map((name) => `${product}${name}/`)
const here = new URL('./', import.meta.url).href
const mark = '?planted='

const bugs = new Map<string, PlantedBug>()

/**
 * Gives each bug its own copy of these modules and the simulation: what a marked file imports from either gets the mark, too. Everything else
 * is shared.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    const [, name] = context.parentURL?.split(mark) ?? []
    const bug = bugs.get(name ?? '')
    const folders = [...own, here, ...(bug === undefined ? [] : [new URL('./', product + bug.file).href])]
    const isOurs = folders.some((folder) => resolved.url.startsWith(folder))
    return name === undefined || !isOurs ? resolved : { ...resolved, url: resolved.url + mark + name }
  },
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const [path = '', name = ''] = url.split(mark)
    const bug = bugs.get(name)
    const places = bug === undefined ? [] : [bug, ...(bug.also === undefined ? [] : [bug.also])]
    const place = places.find(({ file }) => path === new URL(file, product).href)
    if (place === undefined) return loaded
    const text = String(loaded.source)
    const times = text.split(place.find).length - 1
    if (times !== 1)
      throw new Error(`The place of "${bug?.name}" is ${times} times in ${place.file}: ${place.find}`)
    return { ...loaded, source: text.replace(place.find, () => place.replace) }
  },
})

/** Loads the simulation with a copy of the product that has this bug, or none. */
export async function plant(bug?: PlantedBug): Promise<typeof life & typeof world> {
  const name = bug === undefined ? 'none' : String(bugs.size)
  if (bug !== undefined) bugs.set(name, bug)
  const native = createRequire(import.meta.url)('./native-import.ts') as { nativeImport: typeof nativeImport }
  const [lives, worlds] = await Promise.all(
    ['life.ts', 'world.ts'].map((file) => native.nativeImport(here + file + mark + name)),
  )
  return { ...(lives as typeof life), ...(worlds as typeof world) }
}
