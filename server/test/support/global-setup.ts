import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '#embedded-postgres/start.ts'
import { migrate } from '#kernel/migrate.ts'
import { type Kind, kindsQuery } from '../architecture/statements.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databases: Databases
    /** Of the tables and functions of the template. */
    kinds: Kind[]
  }
}

/** Where tests find a migrated database to copy, and under which names they may make theirs. */
export interface Databases {
  /** A superuser's URL, of an unused database. */
  serverUrl: string
  template: string
  /** What the names of this run's databases begin with. */
  prefix: string
}

/** One PostgreSQL for the run: that of DATABASE_URL, or an embedded one in a new directory. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const opened = new AsyncDisposableStack()
  const serverUrl = process.env['DATABASE_URL'] ?? (await startTemporaryPostgres(opened))
  const prefix = `gable_test_${process.pid}`
  const template = `${prefix}_template`
  await withClient(serverUrl, (client) => client.query(`create database ${template}`))
  opened.defer(() => dropDatabases(serverUrl, prefix))
  const url = new URL(serverUrl)
  url.pathname = `/${template}`
  await migrate(url.href)
  await withClient(url.href, async (client) => {
    project.provide('kinds', (await client.query<Kind>(kindsQuery)).rows)
  })
  project.provide('databases', { serverUrl, template, prefix })
  return () => opened.disposeAsync()
}

async function startTemporaryPostgres(opened: AsyncDisposableStack): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gable-test-'))
  opened.defer(() => rm(dataDir, { recursive: true, force: true }))
  const postgres = await startEmbeddedPostgres({ dataDir, exclusive: true })
  opened.defer(() => rm(postgres.place, { recursive: true, force: true }))
  return opened.use(postgres).url
}

async function dropDatabases(serverUrl: string, prefix: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
      prefix,
    ])
    for (const { datname } of rows as { datname: string }[])
      await client.query(`drop database ${datname} with (force)`)
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'gable tests' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
