import { type Source, at, isTest, literals } from './source.ts'

/** Statements that write, with the table that each names. `for update`, `do update`, and `on update` do not count. */
const writing =
  /\b(?:insert\s+into|delete\s+from(?:\s+only)?|merge\s+into|truncate(?:\s+table)?)\s+([\w.$]+)|(?<!\b(?:for|do|on|key)\s+)\bupdate\s+(?:only\s+)?([\w.$]+)\s+(?:(?:as\s+)?\w+\s+)?set\b/gi

/** Tables that an SQL text writes. `$` stands for a table that comes from an expression. */
export const writtenTables = (sql: string): string[] =>
  [...sql.matchAll(writing)].map(([, table, updated]) => (table ?? updated ?? '').toLowerCase())

/** The module to which a file belongs, or else its folder under server/src. */
const ownerOf = (path: string) => /^server\/src\/(?:modules\/)?([^/]+)/.exec(path)?.[1] ?? path

/** Rule 5: tables that two modules write, and statements that hide which table they write. */
export function tablesWithTwoWriters(sources: readonly Source[]): string[] {
  const writes = sources
    .filter((source) => !isTest(source))
    .flatMap((source) =>
      literals(source).flatMap(({ text, offset }) =>
        writtenTables(text).map((table) => ({
          table,
          owner: ownerOf(source.path),
          place: at(source, offset, ''),
        })),
      ),
    )
  const hidden = writes.filter(({ table }) => table.includes('$'))
  const shared = [...Map.groupBy(writes, ({ table }) => table).values()].filter(
    (same) => new Set(same.map(({ owner }) => owner)).size > 1,
  )
  return [
    ...hidden.map(({ place }) => `${place}writes a table that the text does not name`),
    ...shared
      .flat()
      .map(({ table, owner, place }) => `${place}${table} has two writers; one of them is ${owner}`),
  ]
}

/** SQL template tags: the fragment tag, and the methods of a handle that run SQL. */
const sqlTags = new Set(['sql', 'many', 'maybeOne', 'one', 'run', 'write'])

/** SQL of a module outside its queries.ts or, if that would be too long, its …-queries.ts files. */
export const sqlOutsideQueries = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => path.startsWith('server/src/modules/') && !/[/-]queries\.ts$/.test(path))
    .filter((source) => !isTest(source))
    .flatMap((source) =>
      literals(source)
        .filter(({ tag, text }) => (tag !== undefined && sqlTags.has(tag)) || writtenTables(text).length > 0)
        .map(({ offset }) => at(source, offset, 'SQL belongs into queries.ts')),
    )
