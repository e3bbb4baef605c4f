import type { House } from '#kernel/context.ts'
import { NotFound } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import { notice } from '../pages/public.ts'
import { readMail, readTrap } from './read-mails.ts'
import { mailPage, trapPage } from './trap-pages.ts'
import { isFromHome } from './trap-visitor.ts'

export interface TrapOptions {
  /** The address that others reach this server under, without a trailing slash; known once it listens. */
  origin: () => string
}

export const trapPath = '/mail'

/** The pages of the trap. Only for a server that is at home, and even there only requests from home find them. */
export function mailRoutes(house: House, { origin }: TrapOptions): PlainRoute[] {
  const atHome = (path: string, show: (request: PlainRequest) => Promise<PlainAnswer>): PlainRoute => ({
    path,
    maxBodyBytes: 1,
    methods: {
      async GET(request) {
        if (!isFromHome(request)) throw NotFound('There is nothing here.')
        return show(request)
      },
    },
    refuse: ({ status, body }) =>
      notice(status, status < 500 ? 'This page is not there' : 'Something went wrong', body.message),
  })
  return [
    atHome(trapPath, async () => trapPage(await readTrap(house))),
    atHome(`${trapPath}/:id`, async ({ params }) => {
      const stored = await readMail(house, params['id'] ?? '')
      if (stored?.state !== 'trapped') throw NotFound('There is no such mail in the trap.')
      return mailPage(stored, origin())
    }),
  ]
}
