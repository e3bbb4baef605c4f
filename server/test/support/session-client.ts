import { findPersonByEmail, startSession } from '../../src/modules/people/public.ts'
import { csrfOf } from '../../src/modules/people/sessions.ts'
import type { TestApp } from './app.ts'
import type { Person } from './browser.ts'
import { type Client, createClient } from './client.ts'

/** The headers that a page of this server sends for a person who signed in just now. */
export async function sessionHeaders(
  { runtime }: TestApp,
  { email }: Pick<Person, 'email'>,
  workspaceId: string,
): Promise<Record<string, string>> {
  const person = await findPersonByEmail(runtime.database.directory, email)
  if (person === undefined) throw new Error(`No one signs in as ${email}.`)
  const [line = ''] = await startSession(runtime, person, { headers: { 'user-agent': 'node' } })
  const cookie = line.slice(0, line.indexOf(';'))
  return {
    cookie,
    'gable-workspace': workspaceId,
    'x-csrf-token': csrfOf(cookie.slice(cookie.indexOf('=') + 1)),
    'sec-fetch-site': 'same-origin',
  }
}

/** A client in which this person signed in just now, at work in the workspace. */
export const sessionClient = async (
  app: TestApp,
  person: Pick<Person, 'email'>,
  workspaceId: string,
): Promise<Client> =>
  createClient(app.base, undefined, undefined, await sessionHeaders(app, person, workspaceId))
