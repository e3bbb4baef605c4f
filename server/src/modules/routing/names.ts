import type { Db } from '#kernel/db/handles.ts'
import { listMembers, listOffices, listTeams } from '../workspaces/public.ts'

/**
 * Replaces the ids of members, teams, and offices in a text with their names. Members who share a name also get their
 * address.
 */
export async function withNames(db: Db, text: string): Promise<string> {
  const [members, teams, offices] = await Promise.all([listMembers(db), listTeams(db), listOffices(db)])
  const bearers = Map.groupBy(members, ({ name }) => name)
  const names = new Map([
    ...[...teams, ...offices].map(({ id, name }) => [id, name] as const),
    ...members.map(
      ({ id, name, email }) =>
        [id, (bearers.get(name)?.length ?? 0) > 1 ? `${name} <${email}>` : name] as const,
    ),
  ])
  return text.replaceAll(/(?:member )?(c[a-z0-9]{24})/g, (found, id: string) => names.get(id) ?? found)
}
