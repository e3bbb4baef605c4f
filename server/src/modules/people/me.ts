import { Type } from 'typebox'
import type { Runtime } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { SignedInPerson } from '#kernel/http/authentication.ts'
import { ok, personEndpoint } from '#kernel/http/endpoint.ts'
import { text } from '#kernel/records/fields.ts'
import { Timestamp } from '#kernel/schemas.ts'
import { allScopes, scopesOf } from '../access/public.ts'
import { requireText, roles } from '../workspaces/public.ts'
import { membershipsOf } from './memberships.ts'
import { findPerson, savePersonName } from './queries.ts'

const Me = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    csrf_token: Type.String({
      description: 'The value of the X-CSRF-Token header, which every request with the cookie must send.',
    }),
    workspaces: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        member_id: Type.String(),
        role: Type.Enum(roles),
        team_lead: Type.Boolean(),
        scopes: Type.Array(Type.String({ enum: allScopes }), { description: 'What the role allows.' }),
      }),
      { description: 'The workspaces where the person is an active member, sorted by name.' },
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Me' },
)

const tag = 'Me'

export const getMe = personEndpoint('GET /me', {
  tag,
  summary: 'Retrieve the signed-in person',
  description:
    'Who is signed in, and the workspaces where they are an active member. It also returns the CSRF token that every other request of the session must send.',
  responses: { 200: Me },
  handle: async (runtime, person) => ok(await present(runtime, person)),
})

export const patchMe = personEndpoint('PATCH /me', {
  tag,
  summary: 'Update the signed-in person',
  description: 'The name of the member in a workspace, which its records show, does not change.',
  body: Type.Object(
    { name: Type.Optional(text(120)) },
    { title: 'MePatch', additionalProperties: false, examples: [{ name: 'Ada Reyes' }] },
  ),
  responses: { 200: Me },
  async handle(runtime, person, { body: { name } }) {
    if (name !== undefined) {
      requireText('name', name, 120)
      await savePersonName(runtime.database.directory, person.id, name, runtime.clock.now())
    }
    return ok(await present(runtime, person))
  },
})

async function present(runtime: Runtime, { id, csrf }: SignedInPerson) {
  const [person, memberships] = await Promise.all([
    findPerson(runtime.database.directory, id),
    membershipsOf(runtime, id),
  ])
  const { name, email, created_at, updated_at } = orNotFound(person)
  const workspaces = memberships.map(({ workspace, member }) => ({
    id: workspace.id,
    name: workspace.name,
    member_id: member.id,
    role: member.role,
    team_lead: member.team_lead,
    scopes: [...scopesOf(member.role)],
  }))
  return { id, name, email, csrf_token: csrf, workspaces, created_at, updated_at }
}
