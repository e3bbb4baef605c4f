import { readdir } from 'node:fs/promises'
import type { Fixtures } from './fixtures.ts'

const modules = new URL('../../src/modules/', import.meta.url)

async function fixturesOf(module: string): Promise<Fixtures[]> {
  const files = await readdir(new URL(`${module}/`, modules))
  const named = files.filter((file) => file.endsWith('.fixtures.ts')).map((file) => file.slice(0, -12))
  const loaded = named.map((name) => import(`../../src/modules/${module}/${name}.fixtures.ts`))
  return (await Promise.all(loaded)).map(({ fixtures }: { fixtures: Fixtures }) => fixtures)
}

// Not in fixtures.ts, which these files import: a module that awaits what imports it never loads.
const folders = (await readdir(modules, { withFileTypes: true })).filter((entry) => entry.isDirectory())
const all = (await Promise.all(folders.map(({ name }) => fixturesOf(name)))).flat()

const merged = <K extends keyof Fixtures>(kind: K): Required<Fixtures>[K] =>
  Object.assign({}, ...all.map((one) => one[kind] ?? {})) as Required<Fixtures>[K]

/** The fixtures of all modules. */
export const fixtures: Required<Fixtures> = {
  records: merged('records'),
  lists: merged('lists'),
  referents: merged('referents'),
  owners: merged('owners'),
  ready: merged('ready'),
  reset: merged('reset'),
  alternatives: merged('alternatives'),
  values: merged('values'),
}
