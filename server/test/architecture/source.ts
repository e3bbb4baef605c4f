import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Expression, type Program, Visitor, type VisitorObject, parseSync } from 'oxc-parser'

/** What a file takes from another: by import, by re-export, by `import()`, or as a type. */
export interface Import {
  /** As it is written. */
  specifier: string
  /** Path from the repository root, or a package name. */
  target: string
  /** Names as the target exports them. Empty if everything is imported. */
  names: string[]
  /** Whether the import disappears at run time. */
  typeOnly: boolean
  offset: number
}

/** A text in the code: a string, or a template with `$` in place of each expression. */
export interface Literal {
  text: string
  /** The tag of a template, without its object and arguments: `sql`, `run`, or, for `db.many(Row)`, `many`. */
  tag: string | undefined
  offset: number
}

export interface Source {
  /** Relative to the repository root, with `/`. */
  path: string
  text: string
  program: Program
  imports: Import[]
  /** Names that the file declares and exports. A schema and its type count once. */
  exports: string[]
  /** The origin of each re-exported name. */
  reExports: Map<string, { target: string; name: string }>
}

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Paths of all visible files under a directory, relative to the repository root. Empty if there is no such directory. */
export const listFiles = (directory: string): string[] =>
  existsSync(join(root, directory))
    ? readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
        .filter(
          (entry) =>
            entry.isFile() && !/(^|\/)(node_modules\/|\.\w+$)/.test(join(entry.parentPath, entry.name)),
        )
        .map((entry) => posix.relative(root, join(entry.parentPath, entry.name)))
        .toSorted()
    : []

export const readText = (path: string) => readFileSync(join(root, path), 'utf8')

/** What has been parsed: several checks read the same files. */
const parsed = new Map<string, Source>()

/** All TypeScript files under the directories. */
export const readSources = (...directories: string[]): Source[] =>
  directories
    .flatMap(listFiles)
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => parsed.get(path) ?? parseFile(path))

function parseFile(path: string): Source {
  const source = parse(path, readText(path))
  parsed.set(path, source)
  return source
}

/** Parses a file of the repository, or one that a test makes up. Throws if it has a syntax error. */
export function parse(path: string, text: string): Source {
  const { program, module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const resolve = (specifier: string) => resolveImport(path, specifier)
  const reExports: Source['reExports'] = new Map()
  const imports: Import[] = module.staticImports.map(({ moduleRequest, entries, start }) => ({
    specifier: moduleRequest.value,
    target: resolve(moduleRequest.value),
    names: entries.flatMap(({ importName }) => importName.name ?? []),
    typeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
    offset: start,
  }))
  for (const { entries, start } of module.staticExports) {
    for (const { moduleRequest, importName, exportName, isType } of entries) {
      if (moduleRequest === null) continue
      const target = resolve(moduleRequest.value)
      const names = importName.name === null ? [] : [importName.name]
      imports.push({ specifier: moduleRequest.value, target, names, typeOnly: isType, offset: start })
      if (importName.name !== null && exportName.name !== null) {
        reExports.set(exportName.name, { target, name: importName.name })
      }
    }
  }
  const exports = module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ moduleRequest }) => moduleRequest === null)
    .flatMap(({ exportName }) => exportName.name ?? [])
  const whole = (specifier: string, typeOnly: boolean, offset: number) =>
    imports.push({ specifier, target: resolve(specifier), names: [], typeOnly, offset })
  new Visitor({
    ImportExpression: ({ source, start }) => {
      if (source.type === 'Literal' && typeof source.value === 'string') whole(source.value, false, start)
    },
    TSImportType: ({ source, start }) => void whole(source.value, true, start),
  }).visit(program)
  return { path, text, program, imports, exports: [...new Set(exports)], reExports }
}

function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  if (specifier === 'gable') return 'sdk/src/index.ts'
  if (specifier.startsWith('@gable/')) return specifier.replace('@gable/', '')
  if (specifier.startsWith('#test/')) return specifier.replace('#test/', 'server/test/')
  return specifier.startsWith('#') ? specifier.replace('#', 'server/src/') : specifier
}

export const visit = (source: Source, visitor: VisitorObject) => new Visitor(visitor).visit(source.program)

/** Every text in the code, not counting comments and types. */
export function literals(source: Source): Literal[] {
  const found: Literal[] = []
  const tags = new Map<number, string>()
  visit(source, {
    TaggedTemplateExpression: ({ tag, quasi }) => {
      const name = tagName(tag)
      if (name !== undefined) tags.set(quasi.start, name)
    },
    TemplateLiteral: ({ quasis, start }) => {
      const text = quasis.map(({ value }) => value.cooked ?? value.raw).join('$')
      found.push({ text, tag: tags.get(start), offset: start })
    },
    Literal: ({ value, start }) => {
      if (typeof value === 'string') found.push({ text: value, tag: undefined, offset: start })
    },
  })
  return found
}

function tagName(tag: Expression): string | undefined {
  if (tag.type === 'CallExpression') return tagName(tag.callee)
  if (tag.type === 'MemberExpression' && tag.property.type === 'Identifier') return tag.property.name
  return tag.type === 'Identifier' ? tag.name : undefined
}

/** Formats a violation for the reader of a failed test: `server/src/app.ts:12: what is wrong`. */
export function at({ path, text }: Pick<Source, 'path' | 'text'>, offset: number, message: string): string {
  return `${path}:${text.slice(0, offset).split('\n').length}: ${message}`
}

/** Tests, and the fixtures for them that are next to the modules. */
export const isTest = ({ path }: { path: string }) => /\.(test|fixtures)\.ts$/.test(path)
