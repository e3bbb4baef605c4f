import type { House } from '#kernel/context.ts'
import type { PlainAnswer, PlainRequest } from '#kernel/http/plain-route.ts'
import { seeOther } from '../pages/public.ts'
import { leadingTo } from './return-to.ts'
import { type Visitor, visitorOf } from './visitor.ts'

/** For those who are signed in; all others are asked to do so first, and come back here. */
export const signedIn =
  (house: House, handle: (visitor: Visitor, request: PlainRequest) => Promise<PlainAnswer>) =>
  async (request: PlainRequest): Promise<PlainAnswer> => {
    const visitor = await visitorOf(house, request)
    return visitor === undefined ? seeOther(leadingTo('/sign-in', wanted(request))) : handle(visitor, request)
  }

/** As signedIn, for what must not be done in a session that somebody has left open: they show anew who they are. */
export const signedInAnew = (
  house: House,
  handle: (visitor: Visitor, request: PlainRequest) => Promise<PlainAnswer>,
) =>
  signedIn(house, async (visitor, request) =>
    visitor.fresh ? handle(visitor, request) : seeOther(leadingTo('/sign-in/confirm', wanted(request))),
  )

const wanted = ({ path, query }: PlainRequest): string => (query === '' ? path : `${path}?${query}`)
