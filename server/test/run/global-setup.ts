import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '#kernel/migrate.ts'
import { type Kind, kindsQuery } from '../architecture/statements.ts'
import type { Place } from './keep-place.ts'

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

const keeper = fileURLToPath(new URL('keep-place.ts', import.meta.url))

/** One PostgreSQL and one directory for the run. Another process keeps them, and removes them when this one has ended. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [keeper], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => [])])
  if (typeof line !== 'string') throw new Error('The tests have no PostgreSQL: see above.')
  const { serverUrl, prefix, directory } = JSON.parse(line) as Place
  // Of the workers, too: what a test leaves goes with the run.
  process.env['TMPDIR'] = directory
  const template = `${prefix}_template`
  const url = new URL(serverUrl)
  url.pathname = `/${template}`
  await migrate(url.href)
  const client = new pg.Client({ connectionString: url.href, application_name: 'gable tests' })
  await client.connect()
  project.provide('kinds', (await client.query<Kind>(kindsQuery)).rows)
  await client.end()
  project.provide('databases', { serverUrl, template, prefix })
  return async () => {
    child.stdin.end()
    await ended
  }
}
