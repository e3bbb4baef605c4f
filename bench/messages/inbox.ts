import { connected } from '../databases.ts'
import { progress } from '../progress.ts'
import type { Brokerage } from './scene.ts'

/** Members who own ever fewer of the contacts of the inbox. */
export const agents = [
  { id: 'cmember1', share: 'half of the contacts', every: 2 },
  { id: 'cmember2', share: 'a tenth of the contacts', every: 10 },
  { id: 'cmember3', share: 'one in a hundred', every: 100 },
  { id: 'cmember4', share: 'one in a thousand', every: 1000 },
  { id: 'cmember5', share: 'no contact', every: 0 },
]

export const messageId = (n: number) => `c00000000a${String(n).padStart(15, '0')}`

/**
 * Fills the inbox of a brokerage: so many messages with its people, the newest with the first of them. One in a thousand was
 * undelivered, one in ten thousand is unknown.
 */
export async function fillInbox(
  url: string,
  { workspaceId, senderId, connectionId }: Brokerage,
  messages: number,
): Promise<void> {
  await connected(url, async (client) => {
    // As a bulk load: nothing here is checked against other tables row by row.
    await client.query("set session_replication_role = 'replica'")
    await client.query(
      `with people as (
         select id, phone, row_number() over (order by id) as n from contacts where workspace_id = $1)
       insert into conversations (workspace_id, id, sender_id, channel, address, contact_id, last_message_id, last_message_at,
         created_at, updated_at)
       select $1, 'c00000000b' || lpad(n::text, 15, '0'), $2, 'SMS', phone, id, '', now(), now(), now() from people
       on conflict do nothing`,
      [workspaceId, senderId],
    )
    await client.query(
      `with people as materialized (
         select array_agg(c.id order by v.id) as contacts, array_agg(v.id order by v.id) as conversations,
           array_agg(c.phone order by v.id) as phones, count(*)::integer as count
         from contacts c join conversations v on v.workspace_id = c.workspace_id and v.contact_id = c.id
         where c.workspace_id = $1)
       insert into messages (workspace_id, id, conversation_id, contact_id, sender_id, connection_id, channel, direction, status,
         "from", "to", body, purpose, message_class, kind, source, ai_generated, automatic, segments, waits_for_hours, created_at, updated_at)
       select $1, 'c00000000a' || lpad(n::text, 15, '0'), conversations[person], contacts[person], $2, $3,
         case when n % 10 < 8 then 'SMS' when n % 10 = 8 then 'WHATSAPP' else 'EMAIL' end,
         case when n % 3 = 0 then 'INBOUND' else 'OUTBOUND' end,
         case when n % 3 = 0 then 'received' when n % 10000 = 1 then 'unknown' when n % 1000 = 2 then 'undelivered'
           when n % 50 = 1 then 'blocked' else 'delivered' end,
         '+13125550188', phones[person], 'The open house at Alder Court is at 2 pm on Saturday.', 'outbound', 'marketing',
         'standard', 'api', false, false, 1, false, now(), now()
       from people, generate_series(1, $4::integer) n, lateral (select (hashint4(n) & 2147483647) % count + 1 as person) who`,
      [workspaceId, senderId, connectionId, messages],
    )
    await client.query(
      `with people as (
         select id, row_number() over (order by hashtext(id)) as n, count(*) over () as count from contacts
         where workspace_id = $1)
       update contacts c set owner_id = (
         select id from unnest($2::text[], $3::integer[]) as a (id, every)
         where every > 0 and n % every = 0 order by every desc limit 1)
       from people p where c.workspace_id = $1 and c.id = p.id`,
      [workspaceId, agents.map(({ id }) => id), agents.map(({ every }) => every)],
    )
    await client.query('vacuum (analyze) messages')
    await client.query('vacuum (analyze) conversations')
    await client.query('vacuum (analyze) contacts')
  })
  progress(`${messages} messages are in the inbox`)
}
