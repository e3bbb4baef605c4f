import { startEmbeddedPostgres } from '@gable/postgres/start.ts'
import { knownMigrations, migrate } from '@gable/server/src/kernel/migrate.ts'
import { requireMigrated } from '@gable/server/src/reach-database.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DataDirectory, newDataDirectory } from './data-directory.ts'

const roles = ['gable_app', 'gable_engine', 'gable_member', 'gable_search', 'gable_sender']

/** A PostgreSQL of its own, because roles belong to the whole server. */
let data: DataDirectory
let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>

beforeAll(async () => {
  data = await newDataDirectory({ demo: false })
  postgres = await startEmbeddedPostgres({ dataDir: data.path, exclusive: true })
})
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
  await data[Symbol.asyncDispose]()
})

const as = (user: string, database: string) => {
  const url = new URL(postgres.url)
  Object.assign(url, { username: user, password: 'a password', pathname: `/${database}` })
  return url.href
}

const superuser = (...statements: string[]) => asOwner(postgres.url, statements.join('; '))
const inDatabase = (database: string, text: string) => {
  const url = new URL(postgres.url)
  url.pathname = `/${database}`
  return asOwner(url.href, text)
}

let made = 0

/** A user and a database. By default the user owns the database. */
async function newUser(attributes: string, { owns = true } = {}) {
  const name = `user_${++made}`
  await superuser(`create role ${name} login password 'a password' ${attributes}`)
  // Separate, because a database is not created in a transaction.
  await superuser(`create database ${name} ${owns ? `owner ${name}` : ''}`)
  return { name, url: as(name, name) }
}

const dropRoles = async () => {
  for (const role of roles) {
    const [found] = await asOwner(postgres.url, `select from pg_roles where rolname = '${role}'`)
    if (found !== undefined) await superuser(`drop role ${role}`)
  }
}

describe('migrate', () => {
  test('as a plain owner names the statements that a superuser has to run, and works after them', async () => {
    const { name, url } = await newUser('')
    const rejected = await migrate(url).catch((error: Error) => error)
    const message = rejected instanceof Error ? rejected.message : ''
    expect(message).toContain(`The user ${name} of DATABASE_URL may not create the roles`)
    const statements = message.split('\n').slice(1)
    expect(statements).toHaveLength(roles.length * 2 + 1)
    await superuser(statements.join(' '))
    expect(await migrate(url)).toEqual(await knownMigrations())
    await requireMigrated(url)
    expect(await migrate(url)).toEqual([])
    await superuser(`drop database ${name}`)
    await superuser(`drop role ${name}`)
    await dropRoles()
  })

  test.each(['superuser', 'createrole'])('as a %s and owner creates the roles', async (attributes) => {
    const { name, url } = await newUser(attributes)
    expect(await migrate(url)).toEqual(await knownMigrations())
    await requireMigrated(url)
    expect(await migrate(url)).toEqual([])
    await superuser(`drop database ${name}`)
    if (attributes === 'createrole') {
      await superuser(`drop owned by ${name} cascade`)
      await dropRoles()
    } else await dropRoles()
  })

  test('as a user who owns nothing says what it may not do', async () => {
    const { name, url } = await newUser('', { owns: false })
    await superuser(...roles.map((role) => `create role ${role} nologin; grant ${role} to ${name}`))
    await superuser('grant gable_app to gable_member')
    await expect(migrate(url)).rejects.toThrow(
      `may not create anything in the database ${name} and the schema public. Migrate as a superuser`,
    )
  })
})

describe('a migrated database', () => {
  let owner: { name: string; url: string }
  beforeAll(async () => {
    owner = await newUser('superuser')
    await migrate(owner.url)
  })

  test.each([
    ['a role', 'drop owned by gable_engine cascade; drop role gable_engine', 'the role gable_engine'],
    ['a grant', 'revoke insert on contacts from gable_app', 'insert on contacts for gable_app'],
    [
      'a grant on a column',
      'revoke update (source) on suppressions from gable_app',
      'update (source) on suppressions for gable_app',
    ],
    ['a policy', 'drop policy reach on messages', 'the policy reach on messages'],
    [
      'forced row-level security',
      'alter table leads no force row level security',
      'forced row-level security on leads',
    ],
    [
      "a function's owner",
      `alter function search_deals owner to current_user`,
      'the owner gable_search of search_deals',
    ],
    ['usage of the queue', 'revoke usage on schema graphile_worker from gable_app', 'the job queue'],
  ])('that lacks %s serves no one until it is migrated again', async (_, damage, lacks) => {
    await inDatabase(owner.name, damage)
    const rejected = await requireMigrated(owner.url).catch((error: Error) => error)
    expect(rejected).toBeInstanceOf(Error)
    expect((rejected as Error).message).toContain(lacks)
    expect((rejected as Error).message).toContain('npm run -s gable -- migrate')
    expect(await migrate(owner.url)).toEqual([])
    await requireMigrated(owner.url)
  })

  test('serves with what a newer version has added', async () => {
    await inDatabase(
      owner.name,
      `create table newer (id text); grant select on newer to gable_app; grant delete on contacts to gable_app;
       create policy newer on deals as restrictive for select to gable_member using (true)`,
    )
    await expect(requireMigrated(owner.url)).resolves.toBe(true)
  })

  test('names the roles that a serving user lacks', async () => {
    const { name } = await newUser('', { owns: false })
    const url = as(name, owner.name)
    await superuser(`grant gable_app, gable_member to ${name}`)
    await expect(requireMigrated(url)).rejects.toThrow(`grant gable_sender, gable_engine to ${name};`)
    await superuser(`grant gable_sender, gable_engine to ${name}`)
    await requireMigrated(url)
  })
})
