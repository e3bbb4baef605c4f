import { type Source, at, isTest } from './source.ts'

/** Of one folder: for each of its entries, the entries that it imports, with the imports as file → file. */
type Imports = Map<string, Map<string, string[]>>

/**
 * Circles of imports, types included. In no folder do the entries, which are files and subfolders, import each other in a
 * circle; a subfolder counts as a whole. Of each set of entries that reach each other, the shortest circle is reported, with
 * the imports behind every step. Tests and fixtures do not count.
 */
export const circles = (sources: readonly Source[]): string[] =>
  [...importsByFolder(sources)].flatMap(([folder, imports]) =>
    shortestCircles(imports).map((circle) => {
      const steps = circle.slice(1).flatMap((to, i) => imports.get(circle[i] ?? '')?.get(to) ?? [])
      return `${folder}: ${circle.join(' → ')} is a circle:\n  ${steps.join('\n  ')}`
    }),
  )

function importsByFolder(sources: readonly Source[]): Map<string, Imports> {
  const folders = new Map<string, Imports>()
  for (const source of sources.filter((one) => !isTest(one))) {
    for (const { target, names, offset } of source.imports) {
      const from = source.path.split('/')
      const to = target.split('/')
      const depth = from.findIndex((part, i) => part !== to[i])
      const folder = from.slice(0, depth).join('/')
      const imports = folders.getOrInsertComputed(folder, () => new Map())
      imports
        .getOrInsertComputed(from[depth] ?? '', () => new Map())
        .getOrInsertComputed(to[depth] ?? '', () => [])
        .push(at(source, offset, `${target}: ${names.join(', ') || 'everything'}`))
    }
  }
  return folders
}

/** One circle for each set of entries that reach each other: its shortest, with the first entry again at the end. */
function shortestCircles(imports: Imports): string[][] {
  const trails = new Map([...imports.keys()].map((entry) => [entry, trailsFrom(entry, imports)]))
  const found: string[][] = []
  const byLength = [...trails]
    .flatMap(([entry, reached]) => [reached.get(entry) ?? []])
    .filter(({ length }) => length > 0)
    .toSorted((a, b) => a.length - b.length)
  for (const circle of byLength) {
    const [entry = ''] = circle
    if (!found.some(([other = '']) => trails.get(entry)?.has(other) && trails.get(other)?.has(entry)))
      found.push(circle)
  }
  return found
}

/** The shortest trail to every entry that the first one reaches, itself included if it is on a circle. */
function trailsFrom(entry: string, imports: Imports): Map<string, string[]> {
  const trails = new Map<string, string[]>()
  const queue = [[entry]]
  for (const trail of queue) {
    for (const next of imports.get(trail.at(-1) ?? '')?.keys() ?? []) {
      if (trails.has(next)) continue
      trails.set(next, [...trail, next])
      queue.push([...trail, next])
    }
  }
  return trails
}
