import { connected } from '../databases.ts'
import { progress } from '../progress.ts'
import type { Brokerage } from './scene.ts'

/** Members by how many of a thousand inbox contacts they own. A team's contacts are divided among its members. */
export const reaches = [
  reachOf('an agent with half of the contacts', 500),
  reachOf('an agent with a tenth of them', 100),
  reachOf('an agent with one in a hundred', 10),
  reachOf('an agent with one in a thousand', 1),
  reachOf('an agent with no contact', 0),
  reachOf('the lead of 20 agents with a fifth of them', 200, 20),
  reachOf('the lead of 20 agents with one in fifty', 20, 20),
]

function reachOf(who: string, contacts: number, members = 1) {
  return { who, contacts, members: Array.from({ length: members }, (_, i) => `cmember${contacts}of${i}`) }
}

/** The owners of a thousand contacts. The remaining contacts have no owner. */
const owners = reaches.flatMap(({ contacts, members }) =>
  Array.from({ length: contacts }, (_, i) => members[i % members.length]),
)

export const messageId = (n: number) => `c00000000a${String(n).padStart(15, '0')}`

/**
 * Fills a brokerage's inbox with `messages` messages from and to its people. One in a thousand is undelivered, and
 * one in ten thousand has the status `unknown`.
 */
export async function fillInbox(
  url: string,
  { workspaceId, senderId, connectionId }: Brokerage,
  messages: number,
): Promise<void> {
  await connected(url, async (client) => {
    // Load in bulk: rows are not checked against other tables one by one.
    await client.query("set session_replication_role = 'replica'")
    await client.query(
      `update contacts c set owner_id = ($2::text[])[n % 1000 + 1]
       from (select id, row_number() over (order by hashtext(id)) as n from contacts where workspace_id = $1) p
       where c.workspace_id = $1 and c.id = p.id`,
      [workspaceId, owners],
    )
    await client.query(
      `with people as (
         select id, owner_id, phone, row_number() over (order by id) as n from contacts where workspace_id = $1)
       insert into conversations (workspace_id, id, sender_id, channel, address, contact_id, owner_id, last_message_id, last_message_at,
         created_at, updated_at)
       select $1, 'c00000000b' || lpad(n::text, 15, '0'), $2, 'SMS', phone, id, owner_id, '', now(), now(), now() from people
       on conflict do nothing`,
      [workspaceId, senderId],
    )
    await client.query(
      `with people as materialized (
         select array_agg(c.id order by v.id) as contacts, array_agg(c.owner_id order by v.id) as owners, array_agg(v.id order by v.id) as conversations,
           array_agg(c.phone order by v.id) as phones, count(*)::integer as count
         from contacts c join conversations v on v.workspace_id = c.workspace_id and v.contact_id = c.id
         where c.workspace_id = $1)
       insert into messages (workspace_id, id, conversation_id, contact_id, owner_id, sender_id, connection_id, channel, direction, status,
         "from", "to", body, purpose, message_class, kind, source, ai_generated, automatic, segments, waits_for_hours, created_at, updated_at)
       select $1, 'c00000000a' || lpad(n::text, 15, '0'), conversations[person], contacts[person], owners[person], $2, $3,
         case when n % 10 < 8 then 'SMS' when n % 10 = 8 then 'WHATSAPP' else 'EMAIL' end,
         case when n % 3 = 0 then 'INBOUND' else 'OUTBOUND' end,
         case when n % 3 = 0 then 'received' when n % 10000 = 1 then 'unknown' when n % 1000 = 2 then 'undelivered'
           when n % 50 = 1 then 'blocked' else 'delivered' end,
         '+13125550188', phones[person], 'The open house at Alder Court is at 2 pm on Saturday.', 'outbound', 'marketing',
         'standard', 'api', false, false, 1, false, now(), now()
       from people, generate_series(1, $4::integer) n, lateral (select (hashint4(n) & 2147483647) % count + 1 as person) who`,
      [workspaceId, senderId, connectionId, messages],
    )
    await client.query('vacuum (analyze) messages')
    await client.query('vacuum (analyze) conversations')
    await client.query('vacuum (analyze) contacts')
  })
  progress(`${messages} messages are in the inbox`)
}
