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
    /** The kinds of the template's tables and functions. */
    kinds: Kind[]
    /** The run's seed: decides the order of the files, and which endpoint of each form is tested. */
    seed: number
  }
}

/** Where tests find a migrated database to copy, and how they must name their own. */
export interface Databases {
  /** A superuser's URL for a database that no test uses. */
  serverUrl: string
  template: string
  /** Prefix of the names of this run's databases. */
  prefix: string
}

const keeper = fileURLToPath(new URL('keep-place.ts', import.meta.url))

/**
 * Sets up one PostgreSQL and one directory for the run. A separate process keeps them and removes them when this
 * process has ended.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [keeper], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => [])])
  if (typeof line !== 'string') throw new Error('The tests have no PostgreSQL: see above.')
  const { serverUrl, prefix, directory } = JSON.parse(line) as Place
  // The workers inherit this: what a test leaves behind is removed with the run.
  process.env['TMPDIR'] = directory
  const template = `${prefix}_template`
  const url = new URL(serverUrl)
  url.pathname = `/${template}`
  await migrate(url.href)
  const client = new pg.Client({ connectionString: url.href, application_name: 'gable tests' })
  await client.connect()
  project.provide('kinds', (await client.query<Kind>(kindsQuery)).rows)
  await client.end()
  project.provide('seed', project.config.sequence.seed)
  project.provide('databases', { serverUrl, template, prefix })
  return async () => {
    child.stdin.end()
    await ended
  }
}
