import { asOwner } from './database.ts'

/** The data of a workspace's events with this name, in order. */
export const eventsNamed = async (url: string, workspaceId: string, name: string) =>
  (
    await asOwner<{ data: Record<string, unknown> }>(
      url,
      'select data from events where workspace_id = $1 and name = $2 order by id',
      [workspaceId, name],
    )
  ).map(({ data }) => data)

/** The names of a message's events, in order. */
export const eventsOfMessage = async (url: string, id: string): Promise<string[]> =>
  (
    await asOwner<{ name: string }>(
      url,
      "select name from events where name like 'message.%' and data ->> 'id' = $1 order by id",
      [id],
    )
  ).map(({ name }) => name)
