import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { OperatorError } from '../operator-error.ts'

/** The roles that the program assumes. They belong to the whole PostgreSQL server, so a backup of a database has none. */
const roles = ['gable_app', 'gable_member', 'gable_search', 'gable_sender', 'gable_engine']

/** The roles that the user of a server must be in. `gable_search` only owns functions. */
const servingRoles = new Set(roles.filter((role) => role !== 'gable_search'))

/** A fact of the catalog that this version needs. */
interface Need {
  fact: string
  /** What makes it so. Undefined for the job queue, whose access every migration renews. */
  statement: string | undefined
}

const jobQueue = 'access to the job queue for gable_app'

const schemaFile = new URL('../../../schema.txt', import.meta.url)

/** What `schema.txt` says about grants, policies, forced row-level security, and functions. */
async function neededAccess(): Promise<Need[]> {
  const blocks = (await readFile(schemaFile, 'utf8')).trimEnd().split('\n\n')
  return [
    { fact: jobQueue, statement: undefined },
    ...['gable_app', 'gable_search', 'gable_sender', 'gable_engine'].map((role) => ({
      fact: `usage of the schema public for ${role}`,
      statement: `grant usage on schema public to ${role}`,
    })),
    ...blocks.flatMap((block) => {
      const [head = '', ...lines] = block.split('\n')
      return head.includes(', security ')
        ? neededOfFunction(head)
        : neededOfTable(head.slice(0, head.indexOf(':')), head, lines)
    }),
  ]
}

function neededOfTable(table: string, head: string, lines: readonly string[]): Need[] {
  const guarded = /: (?:tenant|queue)(?:,|$)/.test(head)
  return [
    ...(guarded
      ? [
          {
            fact: `forced row-level security on ${table}`,
            statement: `alter table ${table} enable row level security, force row level security`,
          },
        ]
      : []),
    ...lines.flatMap((line) => {
      const [, role, privileges] = /^ {2}(gable_\w+) may (.+)$/.exec(line) ?? []
      if (role !== undefined && privileges !== undefined)
        return privilegesIn(privileges).map((privilege) => ({
          fact: `${privilege} on ${table} for ${role}`,
          statement: `grant ${privilege} on ${table} to ${role}`,
        }))
      const [, name, rest] = /^ {2}policy (\w+) (as .+)$/.exec(line) ?? []
      if (name === undefined) return []
      return [
        { fact: `the policy ${name} on ${table}`, statement: `create policy ${name} on ${table} ${rest}` },
      ]
    }),
  ]
}

function neededOfFunction(head: string): Need[] {
  const [, name] = /^(.+?), security /.exec(head) ?? []
  const [, executors = ''] = /, executed by ([^,]+(?:, gable_\w+)*)$/.exec(head) ?? []
  const [, owner] = /, owned by (gable_\w+),/.exec(head) ?? []
  return [
    ...(owner === undefined
      ? []
      : [
          {
            fact: `the owner ${owner} of ${name}`,
            // PostgreSQL gives a function only to a role that may create one there.
            statement: `grant create on schema public to ${owner}; alter function ${name} owner to ${owner}; revoke create on schema public from ${owner}`,
          },
        ]),
    ...executors
      .split(', ')
      .filter((role) => role.startsWith('gable_'))
      .map((role) => ({
        fact: `execute on ${name} for ${role}`,
        statement: `grant execute on function ${name} to ${role}`,
      })),
  ]
}

/** `select, update (a, b)` as `select`, `update (a)`, `update (b)`. */
const privilegesIn = (text: string): string[] =>
  [...text.matchAll(/(\w+)(?: \(([^)]+)\))?(?:, |$)/g)].flatMap(([, privilege = '', columns]) =>
    columns === undefined ? [privilege] : columns.split(', ').map((column) => `${privilege} (${column})`),
  )

/** Facts in the words of `neededAccess`. A privilege on a table is one on each of its columns. */
const facts = `
  select 'usage of the schema public for ' || rolname as fact from pg_roles
    where rolname = any ($1) and has_schema_privilege(oid, 'public', 'usage')
  union all
  select format('%s on %s for %s', lower(privilege_type), relname, grantee::regrole) from pg_class, aclexplode(relacl)
    where relnamespace = 'public'::regnamespace and grantee = any ($2)
  union all
  select format('%s (%s) on %s for %s', lower(privilege_type), attname, relname, grantee::regrole)
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped,
      lateral (select * from aclexplode(attacl) union all select * from aclexplode(relacl)) as granted
    where relnamespace = 'public'::regnamespace and relkind = 'r' and grantee = any ($2) and privilege_type in ('UPDATE', 'SELECT', 'INSERT')
  union all
  select 'forced row-level security on ' || relname from pg_class
    where relnamespace = 'public'::regnamespace and relrowsecurity and relforcerowsecurity
  union all
  select format('the policy %s on %s', policyname, tablename) from pg_policies where schemaname = 'public'
  union all
  select format('the owner %s of %s', proowner::regrole, oid::regprocedure) from pg_proc
    where pronamespace = 'public'::regnamespace and proowner = any ($2)
  union all
  select format('execute on %s for %s', pg_proc.oid::regprocedure, grantee::regrole) from pg_proc, aclexplode(proacl)
    where pronamespace = 'public'::regnamespace and grantee = any ($2)
  union all
  select '${jobQueue}' from pg_namespace n, pg_roles r
    where nspname = 'graphile_worker' and rolname = 'gable_app' and has_schema_privilege(r.oid, n.oid, 'usage')
      and not exists (select from pg_class c where relnamespace = n.oid and relkind = 'r'
        and not (has_table_privilege(r.oid, c.oid, 'select') and has_table_privilege(r.oid, c.oid, 'insert')
          and has_table_privilege(r.oid, c.oid, 'update') and has_table_privilege(r.oid, c.oid, 'delete')
          and (not relrowsecurity or exists (select from pg_policy where polrelid = c.oid and polname = 'server'))))`

async function listMissing(client: pg.Client): Promise<Need[]> {
  const { rows: known } = await client.query<{ oid: number }>(
    'select oid from pg_roles where rolname = any ($1)',
    [roles],
  )
  const { rows } = await client.query<{ fact: string }>(facts, [roles, known.map(({ oid }) => oid)])
  const found = new Set(rows.map(({ fact }) => fact))
  return (await neededAccess()).filter(({ fact }) => !found.has(fact))
}

interface RoleRow {
  name: string
  exists: boolean
  /** Whether the user may act as the role. */
  within: boolean
}

interface User {
  name: string
  creates: boolean
  roles: RoleRow[]
  /** Whether `gable_member` has what `gable_app` has. */
  memberHasApp: boolean
}

async function describeUser(client: pg.Client): Promise<User> {
  const { rows } = await client.query<{ name: string; creates: boolean; version: number }>(
    `select current_user as name, rolsuper or rolcreaterole as creates, current_setting('server_version_num')::integer as version
     from pg_roles where rolname = current_user`,
  )
  const [user] = rows
  if (user === undefined) throw new Error('There is no current user.')
  // Since PostgreSQL 16, a member may lack the right to act as the role.
  const acting = user.version >= 160_000 ? 'set' : 'member'
  const { rows: found } = await client.query<RoleRow>(
    `select name, oid is not null as exists, coalesce(pg_has_role(oid, $2), false) as within
     from unnest($1::text[]) as name left join pg_roles on rolname = name`,
    [roles, acting],
  )
  const { rows: memberships } = await client.query(
    `select from pg_auth_members where member::regrole::text = 'gable_member' and roleid::regrole::text = 'gable_app'`,
  )
  return { name: user.name, creates: user.creates, roles: found, memberHasApp: memberships.length > 0 }
}

const quoted = (name: string) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)

/** What PostgreSQL reports if another database's migration did the same at the same time. */
const alreadyDone = new Set(['42710', '23505', 'XX000'])
const notAllowed = '42501'

/**
 * Creates the roles that are missing, and puts the user into them. Not every user may: then throws `OperatorError` with
 * the statements that a superuser has to run first.
 */
export async function ensureRoles(client: pg.Client): Promise<void> {
  const user = await describeUser(client)
  const left: string[] = []
  const attempt = async (statement: string) => {
    // What follows depends on it.
    if (left.length > 0) return void left.push(statement)
    await client.query(statement).catch((error: pg.DatabaseError) => {
      if (error.code === notAllowed) left.push(statement)
      else if (!alreadyDone.has(error.code ?? '')) throw error
    })
  }
  for (const { name, exists } of user.roles) if (!exists) await attempt(`create role ${name} nologin`)
  for (const { name, within } of user.roles)
    if (!within) await attempt(`grant ${name} to ${quoted(user.name)}`)
  if (!user.memberHasApp) await attempt('grant gable_app to gable_member')
  if (left.length > 0)
    throw new OperatorError(
      `The user ${user.name} of DATABASE_URL may not create the roles that Gable needs. Run this as a superuser, then migrate again:\n${left.map((one) => `  ${one};`).join('\n')}`,
    )
}

/** Grants again what is missing, after `ensureRoles` and all migrations. */
export async function restoreAccess(client: pg.Client): Promise<void> {
  for (const { fact, statement } of await listMissing(client)) {
    if (statement === undefined) continue
    await client.query(statement).catch((cause: pg.DatabaseError) => {
      if (cause.code !== notAllowed) throw cause
      throw new OperatorError(`The database lacks ${fact}, and its user may not add it: ${cause.message}.`, {
        cause,
      })
    })
  }
}

const shown = 5

/**
 * Throws `OperatorError` if the database lacks a role, grant, or policy that this version needs, or if the user is not in
 * the roles of a server. What a newer version has added is fine. Call it when all migrations are applied.
 */
export async function requireAccess(client: pg.Client): Promise<void> {
  const user = await describeUser(client)
  const absent = user.roles.filter(({ exists }) => !exists).map(({ name }) => `the role ${name}`)
  const missing = [...absent, ...(await listMissing(client)).map(({ fact }) => fact)]
  if (missing.length > 0) {
    const more = missing.length > shown ? `, and ${missing.length - shown} more` : ''
    throw new OperatorError(
      `The database lacks ${missing.slice(0, shown).join(', ')}${more}. Add what is missing with: npm run -s gable -- migrate`,
    )
  }
  const outside = user.roles.filter(({ name, within }) => !within && servingRoles.has(name))
  if (outside.length > 0)
    throw new OperatorError(
      `The user ${user.name} of DATABASE_URL must be in the roles of a server. Run as the owner of the database: grant ${outside.map(({ name }) => name).join(', ')} to ${quoted(user.name)};`,
    )
}
