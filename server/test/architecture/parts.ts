import { type Import, type Source, at } from './source.ts'

/** The parts of the repository, and the parts that each may import. The server knows `web` as a folder of files. */
const parts: Readonly<Record<string, readonly string[]>> = {
  sandbox: [],
  postgres: [],
  sdk: [],
  'tools/sdk': [],
  web: ['sdk'],
  server: ['sandbox', 'postgres'],
  docs: ['sandbox', 'server', 'sdk'],
  e2e: ['sandbox', 'postgres', 'server', 'docs', 'sdk'],
  bench: ['sandbox', 'postgres', 'server'],
}

export const partNames = Object.keys(parts)

const partOf = (path: string) => partNames.find((name) => path.startsWith(`${name}/`))

function faultOf({ path }: Source, { specifier, target }: Import): string | undefined {
  const from = partOf(path) ?? ''
  const to = partOf(target)
  if (to === undefined || to === from) return undefined
  const others = parts[from] ?? []
  if (!others.includes(to)) return `${from} imports ${others.join(', ') || 'nothing of ours'}`
  return specifier.startsWith('.') ? `another part is imported as ${packageOf(to)}` : undefined
}

/** The name of a part's package. That of the client is the one that developers install. */
const packageOf = (part: string) => (part === 'sdk' ? 'gable' : `@gable/${part}`)

/** Imports from one part of the repository to another that the table above does not allow, or not by its package. */
export const wrongParts = (sources: readonly Source[]): string[] =>
  sources.flatMap((source) =>
    source.imports.flatMap((one) => {
      const fault = faultOf(source, one)
      return fault === undefined ? [] : at(source, one.offset, `imports ${one.target}: ${fault}`)
    }),
  )

/** A package.json, as far as it names packages. */
export interface Manifest {
  path: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** Dependencies whose version is not exact or differs between two packages of the repository, and links to wrong parts. */
export function wrongDependencies(manifests: readonly Manifest[]): string[] {
  const first = new Map<string, string>()
  return manifests.flatMap(({ path, dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies }).flatMap(([name, version]) => {
      const part = partNames.find((one) => packageOf(one) === name)
      if (part !== undefined || name.startsWith('@gable/')) {
        const others = parts[partOf(path) ?? ''] ?? []
        const isRight = part !== undefined && others.includes(part) && version === `file:../${part}`
        return isRight ? [] : `${path}: ${name} ${version}`
      }
      const elsewhere = first.get(name) ?? version
      first.set(name, elsewhere)
      if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return `${path}: ${name} ${version} is not one version`
      return elsewhere === version ? [] : `${path}: ${name} ${version} is ${elsewhere} elsewhere`
    }),
  )
}
