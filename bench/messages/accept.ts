import type { Request } from 'autocannon'
import { postmasterOf } from '../cpu.ts'
import { connected } from '../databases.ts'
import { runRound } from '../load-round.ts'
import { type Measured, takeTurns } from '../rounds.ts'
import { startServer } from '../server-process.ts'
import type { Brokerage } from './scene.ts'

/** Measures the product's POST /messages against a bare insert of a message and an event. The two take turns. */
export async function measureAccepting(
  url: string,
  brokerages: readonly Brokerage[],
  { rounds, seconds, connections }: { rounds: number; seconds: number; connections: number },
): Promise<Measured> {
  const postmaster = await postmasterOf(url).catch(() => undefined)
  await using product = await startServer('messages/product-server.ts', url)
  await using bare = await startServer('messages/bare-server.ts', url)
  let turn = 0
  const next = (): Request => {
    turn++
    const { workspaceId, keys, phones } = brokerages[turn % brokerages.length] ?? noBrokerage
    const place = Math.floor(turn / brokerages.length)
    return {
      method: 'POST',
      path: '/v1/messages',
      headers: {
        authorization: `token ${keys[place % keys.length]}`,
        'x-workspace-id': workspaceId,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        channel: 'sms',
        to: phones[place % phones.length],
        body: `The open house at Alder Court is at 2 pm on Saturday. (${turn})`,
      }),
    }
  }
  const subjects = [
    { name: 'Gable', server: product, next },
    { name: 'bare', server: bare, next },
  ]
  // Autovacuum would do this within a minute. Until then, plans are made for empty tables.
  await runRound({ url: product.url, connections, seconds, next })
  await connected(url, (client) => client.query('analyze'))
  return await takeTurns({ title: 'POST /messages', connections, seconds, postmaster, subjects }, rounds)
}

const noBrokerage = { workspaceId: '', keys: [''], phones: [''] }
