import type { App } from '../../src/app.ts'
import { createPerson, joinWorkspace } from '../../src/modules/people/join-workspace.ts'
import { findPersonByEmail, startSession } from '../../src/modules/people/public.ts'
import { csrfOf, recentAuthMs } from '../../src/modules/people/sessions.ts'
import { createMember } from '../../src/modules/workspaces/public.ts'
import type { Person } from './browser.ts'
import { type Client, type TestWorkspace, createClient } from './client.ts'

/** The headers that a page of this server sends for a person who has just signed in. */
export async function sessionHeaders(
  { runtime }: Pick<App, 'runtime'>,
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

/** A client with which this person has just signed in to the workspace. */
export const sessionClient = async (
  app: Pick<App, 'runtime'> & { base: string },
  person: Pick<Person, 'email'>,
  workspaceId: string,
): Promise<Client> => withHeaders(app, await sessionHeaders(app, person, workspaceId))

/** A client that sends these headers with every request. */
export const withHeaders = ({ base }: { base: string }, headers: Record<string, string>): Client =>
  createClient(base, { headers: async () => headers })

/**
 * Adds an owner without a password to the workspace. Returns a function that returns the headers of their session and
 * signs them in again every ten minutes.
 */
export async function signedInOwner(
  app: Pick<App, 'runtime'>,
  { id, ctx }: TestWorkspace,
): Promise<() => Promise<Record<string, string>>> {
  const owner = { name: 'An owner', email: `owner-${id}@gable.example` }
  await createMember(ctx, { ...owner, role: 'owner' }, async (tx, member) =>
    joinWorkspace(tx, (await createPerson(tx, { ...owner, password: null })).id, member),
  )
  let signedIn: { until: number; headers: Promise<Record<string, string>> } | undefined
  return () => {
    const now = app.runtime.clock.now().getTime()
    if (signedIn === undefined || signedIn.until < now)
      signedIn = { until: now + recentAuthMs, headers: sessionHeaders(app, owner, id) }
    return signedIn.headers
  }
}
