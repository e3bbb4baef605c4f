import type { Ctx, Runtime } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { takeTurns } from '#kernel/http/turns.ts'
import {
  type SenderRow,
  listConnectionIds,
  listSendersById,
  listSendersOfConnection,
  openAccount,
  messageProviders,
  recordRegistration,
  recordTemplate,
} from '../../senders/public.ts'
import { ProviderUnavailable } from '../errors.ts'
import type { Carriers, ProviderTemplate, Registration } from '../ports.ts'
import { systemContext } from '../system-context.ts'

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
        inTurn('', () => refreshConnection(runtime, carriers, id)).catch((error: unknown) =>
          runtime.log.warn({ err: error, connectionId: id }, 'a connection was not asked about its senders'),
        ),
      ),
    )
    ids = await listConnectionIds(directory, messageProviders, ids.at(-1))
  }
}

/** Asks the provider of one connection about its senders and templates. A failure does not stop the others. */
async function refreshConnection(runtime: Runtime, carriers: Carriers, id: string): Promise<void> {
  const { database, keys, clock, log } = runtime
  const account = await openAccount({ directory: database.directory, keys, clock }, id)
  if (account === undefined || account.simulated) return
  const ctx = systemContext(runtime, account.workspaceId)
  const carrier = carriers[account.provider]
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      log.warn({ connectionId: id, reason: reasonOf(error) }, 'a provider did not say')
      return undefined
    }
  }
  for (let after = ''; carrier?.readRegistration !== undefined;) {
    const page = await listSendersOfConnection(ctx.db, id, after)
    for (const sender of page) {
      const reported = await attempt(async () => carrier.readRegistration?.(account, sender))
      if (reported !== undefined) await attempt(() => recordRegistration(ctx, sender, reported))
    }
    const last = page.at(-1)
    if (last === undefined) break
    after = last.id
  }
  const listed = await attempt(async () => carrier?.listTemplates?.(account))
  for (const template of listed ?? []) await attempt(() => recordTemplate(ctx, id, template))
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'defect')

/** What a provider reports about a sender, and the templates of the sender's account. */
interface Report {
  sender: SenderRow
  states: Registration
  templates: readonly ProviderTemplate[]
}

/** Asks the provider about a sender. Throws 503 if the provider does not report. */
export async function askAboutSender(ctx: Ctx, carriers: Carriers, id: string): Promise<Report> {
  const [found] = await listSendersById(ctx.db, [id])
  const sender = orNotFound(found)
  const account = orNotFound(await openAccount(ctx, sender.connection_id))
  const carrier = carriers[account.provider]
  try {
    const states = (await carrier?.readRegistration?.(account, sender)) ?? {}
    const templates = (await carrier?.listTemplates?.(account)) ?? []
    return { sender, states, templates }
  } catch (error) {
    throw ProviderUnavailable(reasonOf(error))
  }
}

/** Records what the provider reported. Returns the sender. */
export async function saveReport(ctx: Ctx, { sender, states, templates }: Report): Promise<SenderRow> {
  for (const template of templates) await recordTemplate(ctx, sender.connection_id, template)
  return recordRegistration(ctx, sender, states)
}
