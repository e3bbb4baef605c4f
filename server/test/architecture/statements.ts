import { loadModule, parseSync } from 'libpg-query'

/** A node of PostgreSQL's parse tree: an object whose only key is the node's type, or a plain object of members. */
type Node = Readonly<Record<string, unknown>>

/** What the lint knows about the database. */
export interface Kinds {
  /** The kind of each table, and of each function that returns rows of one: directory, queue, or tenant. */
  kinds: ReadonlyMap<string, string>
  /** Functions of which at least one variant is not immutable. */
  unstable: ReadonlySet<string>
}

/** A row of `kindsQuery`: the kind of a table or function, or `unstable` for a function that is not immutable. */
export interface Kind {
  name: string
  kind: string
}

/** Reads the rows for `kindsOf`. */
export const kindsQuery = `
  select relname as name, obj_description(oid, 'pg_class') as kind from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and obj_description(oid, 'pg_class') is not null
  union all
  select proname, obj_description(t.typrelid, 'pg_class') from pg_proc join pg_type t on t.oid = prorettype
  where pronamespace = 'public'::regnamespace and t.typrelid <> 0
  union all
  select distinct proname, 'unstable' from pg_proc where provolatile <> 'i'`

export function kindsOf(rows: readonly Kind[]): Kinds {
  const [unstable, kinds] = [true, false].map((which) =>
    rows.filter(({ kind }) => (kind === 'unstable') === which),
  )
  return {
    kinds: new Map(kinds?.map(({ name, kind }) => [name, kind])),
    unstable: new Set(unstable?.map(({ name }) => name)),
  }
}

const list = (value: unknown): Node[] => (Array.isArray(value) ? (value as Node[]) : [])
const node = (value: unknown): Node => (value ?? {}) as Node
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Every nested node, depth first, with the type that its parent gives it. */
function* descend(value: unknown): Generator<[type: string, node: Node]> {
  if (Array.isArray(value)) for (const one of value) yield* descend(one)
  else if (isNode(value))
    for (const [type, inner] of Object.entries(value)) {
      if (!isNode(inner)) continue
      if (!Array.isArray(inner)) yield [type, inner]
      yield* descend(inner)
    }
}

const namesOf = (column: Node): string[] =>
  list(column['fields']).map((field) => String(node(field['String'])['sval'] ?? '*'))
const lastName = (names: unknown): string => String(node(node(list(names).at(-1))['String'])['sval'])

/** Whether this is a parameter, with or without a cast. */
function isParameter(value: unknown): boolean {
  const cast = node(value)['TypeCast']
  return cast === undefined ? 'ParamRef' in node(value) : isParameter(node(cast)['arg'])
}

const hasColumn = (value: unknown) => [...descend(value)].some(([type]) => type === 'ColumnRef')

/** The conditions that are combined with AND. */
function conjuncts(value: unknown): Node[] {
  if (value === undefined) return []
  const bool = node(node(value)['BoolExpr'])
  return bool['boolop'] === 'AND_EXPR' ? list(bool['args']).flatMap(conjuncts) : [node(value)]
}

interface Level {
  tables: { name: string; alias: string }[]
  functions: string[]
  conditions: Node[]
}

/** The tables and join conditions of a FROM clause, not including those of its subqueries. */
function levelOf(from: unknown): Level {
  const level: Level = { tables: [], functions: [], conditions: [] }
  for (const item of list(from)) {
    const join = node(item['JoinExpr'])
    const inner = 'JoinExpr' in item ? levelOf([join['larg'], join['rarg']]) : level
    if (inner !== level) {
      level.tables.push(...inner.tables)
      level.functions.push(...inner.functions)
      level.conditions.push(...inner.conditions, ...conjuncts(join['quals']))
    }
    if ('RangeVar' in item) level.tables.push(tableOf(node(item['RangeVar'])))
    for (const [type, call] of descend(item['RangeFunction']))
      if (type === 'FuncCall') level.functions.push(lastName(call['funcname']))
  }
  return level
}

function tableOf(range: Node): Level['tables'][number] {
  const name = range['schemaname'] === undefined ? String(range['relname']) : ''
  return { name, alias: String(node(range['alias'])['aliasname'] ?? name) }
}

const isWorkspaceOf = (value: unknown, alias: string, only: boolean): boolean => {
  const names = namesOf(node(node(value)['ColumnRef']))
  return (
    names.at(-1) === 'workspace_id' && (names.length === 1 ? only : names.length === 2 && names[0] === alias)
  )
}

const queryTypes = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'])

/** Marks a test's statement that breaks the rules on purpose. */
const unchecked = '/* unchecked */'

/** What would prevent a statement from running on tables that are distributed by workspace. */
export async function statementIssues(text: string, { kinds, unstable }: Kinds): Promise<string[]> {
  await loadModule()
  const issues = new Set<string>()
  const used = new Set<string>()

  const check = (type: string, query: Node, outer: ReadonlySet<string>): void => {
    const withClause = node(query['withClause'])
    const ctes = list(withClause['ctes']).map((cte) => node(cte['CommonTableExpr']))
    const visible = new Set([...outer, ...ctes.map((cte) => String(cte['ctename']))])
    const level = levelOf(query['fromClause'] ?? query['usingClause'])
    level.conditions.push(...conjuncts(query['whereClause']))
    const relation = 'relation' in query ? tableOf(node(query['relation'])) : undefined
    if (relation !== undefined && type !== 'InsertStmt') level.tables.push(relation)
    const known = level.tables.filter(({ name }) => !visible.has(name) && kinds.has(name))
    for (const name of [...known.map((table) => table.name), ...level.functions, relation?.name ?? '']) {
      const kind = kinds.get(name)
      if (kind !== undefined) used.add(kind)
    }
    for (const { name, alias } of known) {
      if (kinds.get(name) !== 'tenant') continue
      const bound = level.conditions.some((condition) => {
        const { lexpr, rexpr, name: operator } = node(condition['A_Expr'])
        if (lastName(operator) !== '=') return false
        const only = known.length === 1
        return (
          (isWorkspaceOf(lexpr, alias, only) && isParameter(rexpr)) ||
          (isWorkspaceOf(rexpr, alias, only) && isParameter(lexpr))
        )
      })
      if (!bound) issues.add(`${name} as ${alias}: has no workspace_id = $n of its own`)
    }
    const target = relation !== undefined && kinds.get(relation.name) === 'tenant' ? relation.name : undefined
    if (target !== undefined && type === 'InsertStmt') checkInsert(target, query)
    if (target !== undefined && type === 'UpdateStmt')
      checkStable([query['targetList'], query['whereClause']])
    if (target !== undefined && type === 'InsertStmt') checkStable(query['onConflictClause'])
    recurse(query, visible)
    if (
      withClause['recursive'] === true &&
      ctes.some((cte) => !('SelectStmt' in node(cte['ctequery']))) &&
      used.has('tenant')
    )
      issues.add('changes data in a CTE beside a recursive one')
  }

  const checkInsert = (target: string, query: Node) => {
    const place = list(query['cols']).findIndex((col) => node(col['ResTarget'])['name'] === 'workspace_id')
    const select = node(node(query['selectStmt'])['SelectStmt'])
    const rows = list(select['valuesLists']).map((row) => list(node(row['List'])['items']))
    const chosen = node(node(list(select['targetList'])[place])['ResTarget'])['val']
    const fromRows = namesOf(node(node(chosen)['ColumnRef'])).at(-1) === 'workspace_id'
    const bound =
      rows.length > 0 ? rows.every((row) => isParameter(row[place])) : fromRows || isParameter(chosen)
    if (place === -1 || !bound) issues.add(`${target}: inserts without workspace_id as a parameter`)
    if (
      rows.length === 0 &&
      !fromRows &&
      !('returningList' in query || 'returningClause' in query || 'onConflictClause' in query)
    )
      issues.add(`${target}: insert … select without returning or on conflict`)
  }

  const checkStable = (value: unknown) => {
    for (const [type, inner] of descend(value)) {
      if (!hasColumn(inner)) continue
      if (type === 'FuncCall' && unstable.has(lastName(inner['funcname'])))
        issues.add(`calls ${lastName(inner['funcname'])} on a column in an update`)
      const cast = type === 'TypeCast' ? lastName(node(inner['typeName'])['names']) : ''
      if (/^(date|time|timestamp)/.test(cast)) issues.add(`casts a column to ${cast} in an update`)
      if (type === 'A_Expr' && /^[-+]$/.test(lastName(inner['name'])))
        for (const [deeper, one] of descend(inner))
          if (deeper === 'TypeCast' && lastName(node(one['typeName'])['names']) === 'interval')
            issues.add('adds an interval to a column in an update')
    }
  }

  const recurse = (value: unknown, visible: ReadonlySet<string>): void => {
    if (Array.isArray(value)) for (const one of value) recurse(one, visible)
    else if (isNode(value))
      for (const [type, inner] of Object.entries(value))
        if (queryTypes.has(type)) check(type, node(inner), visible)
        else if ((type === 'larg' || type === 'rarg') && 'op' in value)
          check('SelectStmt', node(inner), visible)
        else recurse(inner, visible)
  }

  if (text.includes(unchecked)) return []
  recurse(parseSync(text), new Set())
  if (used.size > 1) issues.add(`mixes ${[...used].toSorted().join(' and ')} tables`)
  return [...issues]
}
