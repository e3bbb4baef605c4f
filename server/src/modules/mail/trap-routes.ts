import type { House } from '#kernel/context.ts'
import { NotFound } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import { pageRoute } from '../pages/public.ts'
import { readMail, readTrap } from './read-mails.ts'
import { mailPage, trapPage } from './trap-pages.ts'
import { isFromHome } from './trap-visitor.ts'

export interface TrapOptions {
  /** The address that others reach this server under, without a trailing slash; known once it listens. */
  origin: () => string
}

export const trapPath = '/mail'

/** The pages of the trap. Only for a server that is at home, and even there only requests from home find them. */
export const mailRoutes = (house: House, { origin }: TrapOptions): PlainRoute[] => [
  atHome(trapPath, async () => trapPage(await readTrap(house))),
  atHome(`${trapPath}/:id`, async ({ params }) => {
    const stored = await readMail(house, params['id'] ?? '')
    if (stored?.state !== 'trapped') throw NotFound('No such mail is in the trap.')
    return mailPage(stored, origin())
  }),
]

const atHome = (path: string, show: (request: PlainRequest) => Promise<PlainAnswer>): PlainRoute =>
  pageRoute(path, {
    async GET(request) {
      if (!isFromHome(request)) throw NotFound('This page is for the machine that Gable runs on.')
      return show(request)
    },
  })
