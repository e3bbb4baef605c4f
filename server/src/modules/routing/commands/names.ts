import type { Db } from '#kernel/db/handles.ts'
import { NotFound, ValidationFailed } from '#kernel/errors.ts'
import { type MemberRow, listMembers, listOffices, listTeams } from '../../workspaces/public.ts'

/** The names of members, teams, and offices, for texts that people read. */
export interface Names {
  members: readonly MemberRow[]
  /** The name for an id, with the email address if several members share the name; the id itself if there is no name. */
  of(id: string): string
  /** Replaces the members' ids in a text with their names. */
  inText(text: string): string
}

export async function loadNames(db: Db): Promise<Names> {
  const [members, teams, offices] = await Promise.all([listMembers(db), listTeams(db), listOffices(db)])
  const bearers = new Map<string, number>()
  for (const { name } of members) bearers.set(name, (bearers.get(name) ?? 0) + 1)
  const names = new Map([
    ...[...teams, ...offices].map(({ id, name }) => [id, name] as const),
    ...members.map(
      ({ id, name, email }) => [id, (bearers.get(name) ?? 0) > 1 ? `${name} <${email}>` : name] as const,
    ),
  ])
  const of = (id: string) => names.get(id) ?? id
  return { members, of, inText: (text) => text.replaceAll(/(?:member )?(c[a-z0-9]{24})/g, (_, id) => of(id)) }
}

/** The member with this id, email address, or full name. Throws `NotFound` if none matches, `ValidationFailed` if several do. */
export function memberNamed({ members }: Names, text: string): MemberRow {
  const bare = (name: string) => name.trim().toLowerCase()
  const isMeant = ({ id, email, name }: MemberRow) =>
    id === text || bare(email) === bare(text) || bare(name) === bare(text)
  const meant = members.filter(isMeant)
  const [member] = meant
  if (member === undefined) throw NotFound(`There is no member ${text} in this workspace.`)
  if (meant.length === 1) return member
  const addresses = meant.map(({ email }) => email).join(', ')
  throw ValidationFailed([
    { path: 'member', message: `several are called ${text}; name one by address: ${addresses}` },
  ])
}
