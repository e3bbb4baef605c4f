import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import { afterAll, beforeAll } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { findDefaultSender, openAccount } from '../../src/modules/senders/public.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { freshDatabase } from '../support/database.ts'
import { readyToSend } from '../support/ready-to-send.ts'

export let carrier: SimulatedCarrier
export let app: TestApp
/** A workspace with a number for texts, one for WhatsApp, and an email address. */
export let workspace: TestWorkspace
export let agent: Client

/** Before the tests of a file, opens a server with its own worker that speaks the real protocols with the simulated carrier. */
export function openWholeWay(database: string, options: Parameters<typeof testApp>[0] = {}): void {
  const opened = new AsyncDisposableStack()
  beforeAll(async () => {
    carrier = opened.use(
      await startCarrier({ host: '127.0.0.1', port: 0, now: () => app.clock.now(), deliveryMs: 5 }),
    )
    const databaseUrl = await freshDatabase(database)
    app = opened.use(
      await testApp({ role: 'all', databaseUrl, simulatedCarrierUrl: carrier.origin, ...options }),
    )
    workspace = await app.workspace('Lantern & Oak')
    agent = await workspace.credential()
    await readyToSend(workspace)
  })
  afterAll(() => opened.disposeAsync())
}

/** The address from which the workspace sends by this channel, and its account at the provider. */
export async function accountFor(channel: 'SMS' | 'WHATSAPP') {
  const { address, connection_id } = orNotFound(await findDefaultSender(workspace.ctx.db, channel))
  return { address, account: orNotFound(await openAccount(workspace.ctx, connection_id)) }
}

/** Lets WhatsApp call back. Returns the workspace's number. */
export async function connectWhatsApp(): Promise<string> {
  const { address, account } = await accountFor('WHATSAPP')
  await app.carriers.whatsapp?.connectSender?.(account, address)
  return address
}

/** The files that the provider has of a text. */
export async function mediaAtProvider(providerMessageId: string): Promise<{ content_type: string }[]> {
  const { account } = await accountFor('SMS')
  const list = `${carrier.origin}/2010-04-01/Accounts/${account.name}/Messages/${providerMessageId}/Media.json`
  const authorization = `Basic ${Buffer.from(`${account.name}:${account.secrets[0]}`).toString('base64')}`
  const response = await fetch(list, { headers: { authorization } })
  return ((await response.json()) as { media_list: { content_type: string }[] }).media_list
}
