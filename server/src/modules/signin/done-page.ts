import type { House } from '#kernel/context.ts'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { pageRoute, seeOther } from '../pages/public.ts'
import { returnTo } from './return-to.ts'
import { visitorOf } from './visitor.ts'

/** Between a sign-in and where it leads: a browser that has not kept the cookie would go round in circles. */
export const doneRoutes = (house: House): PlainRoute[] => [
  pageRoute('/sign-in/done', {
    async GET(request) {
      const next = returnTo(new URLSearchParams(request.query).get('return_to') ?? '')
      const visitor = await visitorOf(house, request)
      if (visitor !== undefined) return seeOther(next)
      return seeOther(`/sign-in?${new URLSearchParams({ return_to: next, kept: 'no' }).toString()}`)
    },
  }),
]
