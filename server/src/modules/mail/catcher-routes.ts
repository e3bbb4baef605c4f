import type { Runtime } from '#kernel/context.ts'
import { NotFound } from '#kernel/errors.ts'
import type { PlainResponse, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import type { KeyRing } from '#kernel/secrets.ts'
import { pageRoute } from '../pages/public.ts'
import { mailPage, catcherPage } from './catcher-pages.ts'
import { isLocalRequest } from './local-request.ts'
import { readMail, readCaughtMails } from './read-mails.ts'

const purpose = 'mail catcher'

/**
 * The path of the mail catcher, which cannot be guessed. The server prints it when it starts. Checking the peer's
 * address is not enough: a proxy on this machine may forward requests from anywhere.
 */
export const catcherPath = (keys: KeyRing): string => `/mail/${keys.sign(purpose, '').toString('base64url')}`

/**
 * The pages of the mail catcher. They are served only to local requests. The server registers them only if nothing but
 * this machine can reach it.
 */
export const mailRoutes = (runtime: Runtime): PlainRoute[] => [
  pageRoute('/mail', {
    async GET() {
      throw NotFound('The mail catcher has its own address, which the server prints when it starts.')
    },
  }),
  localPage(runtime, '/mail/:catcher', async ({ path }) => catcherPage(await readCaughtMails(runtime), path)),
  localPage(runtime, '/mail/:catcher/:id', async ({ params }) => {
    const stored = await readMail(runtime, params['id'] ?? '')
    if (stored?.state !== 'caught') throw NotFound('There is no such mail.')
    return mailPage(stored, runtime.origin(), catcherPath(runtime.keys))
  }),
]

const localPage = (
  { keys }: Runtime,
  path: string,
  show: (request: PlainRequest) => Promise<PlainResponse>,
): PlainRoute =>
  pageRoute(path, {
    async GET(request) {
      const named = Buffer.from(request.params['catcher'] ?? '', 'base64url')
      if (!isLocalRequest(request) || !keys.verifies(purpose, '', named))
        throw NotFound('No page has this address.')
      return show(request)
    },
  })
