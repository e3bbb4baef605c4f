import type { Ctx, Runtime } from '#kernel/context.ts'
import { takeTurns } from '#kernel/http/turns.ts'
import {
  type ReportedChange,
  listConnectionIds,
  listSendersOfConnection,
  openAccount,
  messageProviders,
  recordRegistration,
  recordTemplate,
} from '../../senders/public.ts'
import type { Carriers, ProviderAccount } from '../ports.ts'
import { systemContext } from '../system-context.ts'

/** The result of asking providers. What could not be read stays as it was. */
export interface Refreshed {
  changes: ReportedChange[]
  failures: { connection_id: string; message: string }[]
}

/** How many connections are refreshed at once. */
const width = 4

/**
 * Asks the providers of all workspaces about the senders and templates of their connections. Skips simulated
 * connections: users set their states to try things out.
 */
export async function refreshAll(runtime: Runtime, carriers: Carriers): Promise<void> {
  const { directory } = runtime.database
  const inTurn = takeTurns(width)
  for (let ids = await listConnectionIds(directory, messageProviders); ids.length > 0;) {
    await Promise.all(
      ids.map((id) =>
        inTurn('', () => refreshOne(runtime, carriers, id)).catch((error: unknown) =>
          runtime.log.warn({ err: error, connectionId: id }, 'a connection was not asked about its senders'),
        ),
      ),
    )
    ids = await listConnectionIds(directory, messageProviders, ids.at(-1))
  }
}

async function refreshOne(runtime: Runtime, carriers: Carriers, id: string): Promise<void> {
  const { database, keys, clock, log } = runtime
  const account = await openAccount({ directory: database.directory, keys, clock }, id)
  if (account === undefined || account.simulated) return
  const { changes, failures } = await refreshConnection(
    systemContext(runtime, account.workspaceId),
    carriers,
    account,
  )
  for (const { message } of failures)
    log.warn({ connectionId: id, reason: message }, 'a provider did not say')
  if (changes.length > 0)
    log.info({ connectionId: id, changed: changes.length }, 'senders or templates changed')
}

/**
 * Asks the provider of one connection about its senders and templates. A failure does not stop the others; it is part
 * of the result.
 */
export async function refreshConnection(
  ctx: Ctx,
  carriers: Carriers,
  account: ProviderAccount,
): Promise<Refreshed> {
  const carrier = carriers[account.provider]
  const done: Refreshed = { changes: [], failures: [] }
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      const message = error instanceof Error ? error.message : 'defect'
      done.failures.push({ connection_id: account.id, message })
      return undefined
    }
  }
  const keep = (change: ReportedChange | undefined) => void (change && done.changes.push(change))
  for (let after = ''; carrier?.readRegistration !== undefined;) {
    const page = await listSendersOfConnection(ctx.db, account.id, after)
    for (const sender of page) {
      const reported = await attempt(async () => carrier.readRegistration?.(account, sender))
      if (reported !== undefined) keep(await attempt(() => recordRegistration(ctx, sender, reported)))
    }
    const last = page.at(-1)
    if (last === undefined) break
    after = last.id
  }
  const listed = await attempt(async () => carrier?.listTemplates?.(account))
  for (const template of listed ?? []) keep(await attempt(() => recordTemplate(ctx, account.id, template)))
  return done
}
