import type { Request } from 'autocannon'
import { postmasterOf } from '../cpu.ts'
import { type Measured, takeTurns } from '../rounds.ts'
import { startServer } from '../server-process.ts'
import type { Brokerage } from './scene.ts'

export const created = ['deals', 'tasks'] as const

/** Measures creating a record with its event against a bare insert of both. The two take turns. */
export async function measureCreating(
  url: string,
  noun: (typeof created)[number],
  { workspaceId, memberIds, contactIds, keys }: Brokerage,
  { rounds, seconds, connections }: { rounds: number; seconds: number; connections: number },
): Promise<Measured> {
  const postmaster = await postmasterOf(url).catch(() => undefined)
  await using product = await startServer('product-server.ts', url)
  await using bare = await startServer('records/bare-server.ts', url)
  let turn = 0
  const of = (list: readonly string[]) => list[turn % list.length]
  const next = (): Request => {
    turn++
    const owner = noun === 'deals' ? { owner_id: of(memberIds) } : { assignee_id: of(memberIds) }
    const own =
      noun === 'deals'
        ? { name: `Client ${turn}`, price: 450_000, expected_close_date: '2026-12-18' }
        : { title: `Call client ${turn}`, type: 'call', due_at: '2026-11-24T16:00:00Z' }
    return {
      method: 'POST',
      path: `/v1/${noun}`,
      headers: {
        authorization: `token ${of(keys)}`,
        'x-workspace-id': workspaceId,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ...own, ...owner, contact_id: of(contactIds) }),
    }
  }
  const subjects = [
    { name: 'Gable', server: product, next },
    { name: 'bare', server: bare, next },
  ]
  return await takeTurns({ title: `POST /${noun}`, connections, seconds, postmaster, subjects }, rounds)
}
