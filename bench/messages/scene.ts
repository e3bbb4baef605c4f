import { createContext } from '@gable/server/src/kernel/context.ts'
import { allScopes, createApiKey } from '@gable/server/src/modules/access/public.ts'
import { hashSecret, newSecret, visiblePrefix } from '@gable/server/src/modules/access/secret.ts'
import { createConnection, createSender, listSenders } from '@gable/server/src/modules/senders/public.ts'
import { createWorkspace } from '@gable/server/src/modules/workspaces/public.ts'
import type pg from 'pg'
import { connected } from '../databases.ts'
import { openProduct } from './product.ts'

/** A brokerage with a registered number, and people who have consented to texts. */
export interface Brokerage {
  workspaceId: string
  senderId: string
  connectionId: string
  conversationId: string | null
  keys: string[]
  phones: string[]
}

const actor = { type: 'system', id: null, name: 'bench' }

/** The first workspace, the largest, gets `people` people, and each of the others a tenth of that. */
export async function buildScene(
  url: string,
  { brokerages, people, keys }: { brokerages: number; people: number; keys: number },
): Promise<Brokerage[]> {
  await using app = await openProduct('api', url)
  const { runtime, address } = app
  const built: Brokerage[] = []
  for (let n = 0; n < brokerages; n++) {
    const { id: workspaceId } = await createWorkspace(runtime, `Brokerage ${n}`, actor)
    const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set(allScopes) })
    const connection = await createConnection(ctx, {
      provider: 'twilio',
      name: 'Texts',
      account: `AC${workspaceId}`,
      simulated: true,
      secret: 'the token of the account',
    })
    await createSender(ctx, {
      connection_id: connection.id,
      kind: '10dlc',
      address: '+13125550188',
      pace: 1000,
      registration: { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
    })
    const [sender] = await listSenders(ctx.db)
    const { key } = await createApiKey(ctx, { name: 'bench', scopes: [...allScopes], expires_in_days: 1 })
    const response = await fetch(`${address}/v1/leads`, {
      method: 'POST',
      headers: { authorization: `token ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        phone: '+13122000000',
        source: 'Website',
        skip_routing: true,
        consent: {
          captured_at: new Date(ctx.clock.now().getTime() - 86_400_000).toISOString(),
          source_url: 'https://brokerage.example/a',
        },
      }),
    })
    if (response.status !== 201) throw new Error(`POST /leads: ${response.status} ${await response.text()}`)
    const phones = Array.from({ length: people / (n === 0 ? 1 : 10) }, (_, i) => `+1312${2_000_001 + i}`)
    await connected(url, (client) => multiply(client, workspaceId, phones))
    const newKeys = Array.from({ length: keys / brokerages }, () => newSecret('gbl_key_'))
    await connected(url, (client) => addKeys(client, workspaceId, newKeys, ctx.clock.now()))
    built.push({
      workspaceId,
      senderId: sender?.id ?? '',
      connectionId: connection.id,
      conversationId: null,
      keys: newKeys,
      phones,
    })
  }
  await connected(url, (client) => client.query('vacuum (analyze)'))
  return built
}

/** Copies the workspace's contact, with its number and its lead, once for each of these numbers. */
async function multiply(client: pg.Client, workspaceId: string, phones: readonly string[]): Promise<void> {
  const idOf = "left(t.id, 14) || lpad(n::text, 11, '0')"
  const copy = (table: string, members: string) => `
    insert into ${table} select r.* from ${table} t, unnest($2::text[]) with ordinality as p (phone, n),
      jsonb_populate_record(t, jsonb_build_object(${members})) r where t.workspace_id = $1`
  const values = [workspaceId, phones]
  await client.query('begin')
  await client.query(copy('contacts', `'id', ${idOf}, 'phone', p.phone`), values)
  await client.query(
    copy('contact_points', `'contact_id', ${idOf.replace('t.id', 't.contact_id')}, 'value', p.phone`),
    values,
  )
  await client.query(
    copy('leads', `'id', ${idOf}, 'contact_id', ${idOf.replace('t.id', 't.contact_id')}, 'phone', p.phone`),
    values,
  )
  await client.query('commit')
}

const addKeys = (client: pg.Client, workspaceId: string, keys: readonly string[], at: Date) =>
  client.query(
    `insert into api_keys (id, workspace_id, name, hash, prefix, scopes, created_at, updated_at, last_used_at, expires_at)
     select 'c' || left(encode(hash, 'hex'), 24), $1, 'Bench', hash, prefix, $4, $5, $5, $5, $5::timestamptz + interval '1 day'
     from unnest($2::bytea[], $3::text[]) as k (hash, prefix)`,
    [
      workspaceId,
      keys.map(hashSecret),
      keys.map(visiblePrefix),
      ['messages:send', 'messages:read', 'contacts:read:pii'],
      at,
    ],
  )
