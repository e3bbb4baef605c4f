import type { Runtime } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { type ProviderAccount, callbackRoutes } from '../../senders/public.ts'
import { systemContext } from '../outbox/system-context.ts'
import type { CallbackReport, MessageDependencies } from '../ports.ts'
import { receiveMessage } from './receive-message.ts'
import { recordStatus } from './record-status.ts'

/** Meta reports up to 3 MB at once. */
const maxBodyBytes = 4 * 1024 * 1024

/** What Twilio reports is a small form. */
const maxFormBytes = 64 * 1024

const NotFromProvider = defineError('invalid_signature', 403, () => ({
  message: 'The provider of this connection did not sign the request.',
}))

/**
 * `/callbacks/{provider}/{connection}/…`: what providers report of messages. The response is a success once all of it is
 * committed, so that a provider repeats what was not.
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
        const report = dependencies.carriers[account.provider]?.readCallback(account, callback)
        if (report === undefined) return undefined
        await record(dependencies.runtime, account, report)
        const { type, body } = report.response ?? { type: 'text/plain', body: '' }
        return { status: 200, headers: { 'content-type': type, 'cache-control': 'no-store' }, body }
      },
    }),
  )

async function record(
  runtime: Runtime,
  account: ProviderAccount,
  { messages, statuses }: CallbackReport,
): Promise<void> {
  const ctx = systemContext(runtime, account.workspaceId)
  for (const one of messages) await receiveMessage(ctx, account, one)
  for (const one of statuses) await recordStatus(ctx, account, one)
}
