import { createContext } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { callbackRoutes } from '../../senders/public.ts'
import { connectMember } from '../connect-member.ts'
import type { CallDependencies, ResponseBody } from '../ports.ts'
import { routeCall } from '../route-call.ts'
import { recordReport } from './record-report.ts'

/** Fits an hours-long transcript, word by word. */
const maxReportBytes = 16 * 1024 * 1024

/** Twilio sends small forms. */
const maxFormBytes = 64 * 1024

const NotFromProvider = defineError('invalid_signature', 403, () => ({
  message: 'The provider of this connection did not sign the request.',
}))

/** The routes for provider callbacks about calls. They return success only after the report is committed. */
export const callCallbackRoutes = (dependencies: CallDependencies): readonly PlainRoute[] =>
  [
    { paths: ['/callbacks/retell/:connection'], maxBodyBytes: maxReportBytes },
    { paths: ['/callbacks/twilio/:connection/voice/*'], maxBodyBytes: maxFormBytes },
  ].flatMap((where) =>
    callbackRoutes(dependencies, {
      ...where,
      rejection: NotFromProvider,
      async take(account, callback) {
        const parsed = await dependencies.voice[account.provider]?.parse(account, callback)
        if (parsed === undefined) return undefined
        const actor = { type: 'system', id: null, name: 'calls' }
        const { workspaceId } = account
        const ctx = createContext(dependencies.runtime, { workspaceId, actor, scopes: new Set() })
        if ('confirmation' in parsed) {
          const { confirmation } = parsed
          return respond(confirmation.response(await connectMember(ctx, account, confirmation)))
        }
        const call = parsed.report && (await recordReport(ctx, account, parsed.report))
        return respond(
          typeof parsed.response === 'function'
            ? parsed.response(call && (await routeCall(ctx, call.id)))
            : parsed.response,
        )
      },
    }),
  )

const respond = ({ type, body }: ResponseBody) => ({
  status: 200,
  headers: { 'content-type': type, 'cache-control': 'no-store' },
  body,
})
