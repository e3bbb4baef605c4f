import { createConnection, listConnections } from '../../src/modules/senders/public.ts'
import type { CallScene } from './scene.ts'

/** A Retell connection, and the Twilio connection of the workspace's numbers. */
export async function connectionsOf({ workspace: { ctx, id } }: CallScene) {
  const { id: retell } = await createConnection(ctx, {
    provider: 'retell',
    name: 'Retell',
    account: 'agent_1',
    secret: 'key_1',
  })
  const twilio = (await listConnections(ctx.directory, id)).find(({ provider }) => provider === 'twilio')
  return { retell, twilio: twilio?.id ?? '' }
}
