import type { Runtime, Tx } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { findRestoredAt } from '../../installation/public.ts'
import { type ProviderAccount, callbackRoutes } from '../../senders/public.ts'
import type { CallbackReport, MessageDependencies } from '../ports.ts'
import { systemContext } from '../system-context.ts'
import { receiveIn } from './receive-message.ts'
import { asReceived } from './received-late.ts'
import { recordPreference } from './record-preference.ts'
import { recordStatus } from './record-status.ts'

/** Meta sends up to 3 MB in one callback. */
const maxBodyBytes = 4 * 1024 * 1024

/** Twilio sends small forms. */
const maxFormBytes = 64 * 1024

const NotFromProvider = defineError('invalid_signature', 403, () => ({
  message: 'The provider of this connection did not sign the request.',
}))

/**
 * `/callbacks/{provider}/{connection}/…`: callbacks about messages. Gable responds with success only after it has
 * committed everything, so that the provider retries what was not committed.
 */
export const messageCallbackRoutes = (dependencies: MessageDependencies): readonly PlainRoute[] =>
  [
    { paths: ['/callbacks/:provider/:connection/*'], maxBodyBytes },
    { paths: ['/callbacks/twilio/:connection/*'], maxBodyBytes: maxFormBytes },
  ].flatMap((where) =>
    callbackRoutes(dependencies, {
      ...where,
      rejection: NotFromProvider,
      async take(account, callback) {
        const report = await dependencies.carriers[account.provider]?.readCallback(account, callback)
        if (report === undefined) return undefined
        await recordCallback(dependencies.runtime, account, report)
        const { type, body } = report.response ?? { type: 'text/plain', body: '' }
        return { status: 200, headers: { 'content-type': type, 'cache-control': 'no-store' }, body }
      },
    }),
  )

/** Records what a callback reports; see `asReceived` for what happened before a restore. */
export async function recordCallback(
  runtime: Runtime,
  account: ProviderAccount,
  { messages, statuses, preferences = [] }: CallbackReport,
): Promise<void> {
  const ctx = systemContext(runtime, account.workspaceId)
  const restoredAt = await findRestoredAt(ctx.directory)
  // Meta repeats callbacks for days. Twilio does not, and does not say when.
  const inTime = (tx: Tx, at: Date | null) => asReceived(tx, at ?? ctx.clock.now(), restoredAt)
  for (const one of messages)
    await ctx.transaction((tx) => receiveIn(inTime(tx, one.receivedAt), account, one))
  for (const one of preferences) await recordPreference(ctx, account, one)
  for (const one of statuses) await ctx.transaction((tx) => recordStatus(inTime(tx, one.at), account, one))
}
