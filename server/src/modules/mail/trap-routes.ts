import type { House } from '#kernel/context.ts'
import { NotFound } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import type { KeyRing } from '#kernel/secrets.ts'
import { pageRoute } from '../pages/public.ts'
import { readMail, readTrap } from './read-mails.ts'
import { mailPage, trapPage } from './trap-pages.ts'
import { isFromHome } from './trap-visitor.ts'

export interface TrapOptions {
  /** The address that others reach this server under, without a trailing slash; known once it listens. */
  origin: () => string
}

const purpose = 'mail trap'

/**
 * Where the trap is: an address that is printed at the start, and that nobody else can name. Where a request comes from
 * is not enough to go by: a proxy on this machine may hand on, unseen, what comes from anywhere.
 */
export const trapPath = (keys: KeyRing): string => `/mail/${keys.sign(purpose, '').toString('base64url')}`

/** The pages of the trap. Only for a server that is at home, and even there only requests from home find them. */
export const mailRoutes = (house: House, { origin }: TrapOptions): PlainRoute[] => [
  pageRoute('/mail', {
    async GET() {
      throw NotFound('The trap has an address of its own, which the server prints at its start.')
    },
  }),
  atHome(house, '/mail/:trap', async ({ path }) => trapPage(await readTrap(house), path)),
  atHome(house, '/mail/:trap/:id', async ({ params }) => {
    const stored = await readMail(house, params['id'] ?? '')
    if (stored?.state !== 'trapped') throw NotFound('No such mail is in the trap.')
    return mailPage(stored, origin(), trapPath(house.keys))
  }),
]

const atHome = (
  { keys }: House,
  path: string,
  show: (request: PlainRequest) => Promise<PlainAnswer>,
): PlainRoute =>
  pageRoute(path, {
    async GET(request) {
      const named = Buffer.from(request.params['trap'] ?? '', 'base64url')
      if (!isFromHome(request) || !keys.verifies(purpose, '', named)) throw NotFound('There is nothing here.')
      return show(request)
    },
  })
