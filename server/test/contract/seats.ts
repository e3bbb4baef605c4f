import { orNotFound } from '#kernel/errors.ts'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { personIn } from '#test/support/browser.ts'
import type { Client } from '#test/support/client.ts'
import { sessionClient } from '#test/support/session-client.ts'
import { expanded, scopesOf } from '../../src/modules/access/public.ts'
import { type Role, addToTeam, changeMember, createTeam, roles } from '../../src/modules/workspaces/public.ts'

export type Whose = 'own' | 'team' | 'other' | 'none'

/** The owners whose records each role sees. */
export const visible: Record<Role | 'team lead' | 'key of an agent' | 'key of its own', readonly Whose[]> = {
  owner: ['own', 'team', 'other', 'none'],
  admin: ['own', 'team', 'other', 'none'],
  isa: ['own', 'team', 'other', 'none'],
  compliance: ['own', 'team', 'other', 'none'],
  agent: ['own'],
  'team lead': ['own', 'team'],
  'key of an agent': ['own'],
  developer: [],
  'key of its own': [],
}
export type Who = keyof typeof visible
export const everyone = Object.keys(visible) as Who[]
export const roleOf = (who: Who): Role => roles.find((role) => role === who) ?? 'agent'

/** What a key may hold that sees only what it created. */
const ownScopes = expanded([
  'contacts:write',
  'contacts:read:pii',
  'leads:write',
  'events:read',
  'messages:send_only',
])

const scopesFor = (who: Who): ReadonlySet<string> =>
  who === 'key of its own' ? ownScopes : scopesOf(roleOf(who))

export const mayUse = (who: Who, { scope, sufficientScope }: Endpoint): boolean =>
  [scope, sufficientScope ?? scope].some((one) => scopesFor(who).has(one))

export interface Seat {
  client: Client
  members: Record<Whose, string | null>
}

export interface Seats {
  app: TestApp
  workspace: TestWorkspace
  /** A client with all scopes. */
  system: Client
  /** A client for each kind of member, together with a teammate and a member of no common team. */
  of(who: Who): Seat
}

/** Creates a workspace with members of every kind. */
export async function takeSeats(): Promise<Seats> {
  const app = await testApp()
  const workspace = await app.workspace()
  const system = await workspace.credential()
  const [mate, other] = [await workspace.member(), await workspace.member()]
  const seats = new Map<Who, Seat>()
  const clientOf = (who: Who, person: Awaited<ReturnType<typeof personIn>>) => {
    if (who === 'key of its own') return workspace.creator(...ownScopes)
    return who === 'key of an agent'
      ? workspace.keyFor(person.member.id)
      : sessionClient(app, person, workspace.id)
  }
  for (const who of everyone) {
    const { id: teamId } = await createTeam(workspace.ctx, { name: 'A team' })
    const person = await personIn(workspace, roleOf(who))
    const { id } = person.member
    for (const memberId of [mate.id, id]) await addToTeam(workspace.ctx, teamId, memberId)
    if (who === 'team lead') await changeMember(workspace.ctx, id, { team_lead: true })
    const client = await clientOf(who, person)
    seats.set(who, { client, members: { own: id, team: mate.id, other: other.id, none: null } })
  }
  const of = (who: Who) => orNotFound(seats.get(who))
  return { app, workspace, system, of }
}
