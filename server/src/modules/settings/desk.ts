import type { Ctx, House } from '#kernel/context.ts'
import { NotFound, defineError } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import { isId } from '#kernel/ids.ts'
import { pageRoute, seeOther } from '../pages/public.ts'
import {
  type Fields,
  type Place,
  type Visitor,
  administers,
  contextOf,
  placeOf,
  readForm,
  signedIn,
} from '../signin/public.ts'

const NotAllowed = defineError('forbidden', 403, () => ({
  message: 'Owners and admins look after this workspace. Ask one of them.',
}))

/** An owner or admin at the settings of a workspace, with what they have asked for. */
export interface Desk {
  house: House
  visitor: Visitor
  place: Place
  ctx: Ctx
  /** `/settings/<workspace>`, where all paths of the workspace begin. */
  base: string
  /** The path that was asked for. */
  path: string
  query: URLSearchParams
  /** An id in the path, by its name there. */
  id(name: string): string
}

interface Methods {
  GET: (desk: Desk) => Promise<PlainAnswer>
  /** The form is from a page of ours that this very visitor has seen. */
  POST?: (desk: Desk, form: Fields) => Promise<PlainAnswer>
}

/**
 * A page of a workspace's settings. `path`: behind `/settings/<workspace>`; its parameters are ids. Whoever is no active
 * member gets the same 404 as for a workspace that does not exist, and an agent a 403. `guard`: signedInAnew for what
 * makes secrets.
 */
export const deskRoute = (house: House, path: string, { GET, POST }: Methods, guard = signedIn): PlainRoute =>
  pageRoute(`/settings/:workspace${path}`, {
    GET: guard(house, async (visitor, request) => GET(await deskOf(house, visitor, request))),
    ...(POST && {
      POST: guard(house, async (visitor, request) => {
        const desk = await deskOf(house, visitor, request)
        return POST(desk, readForm(request, visitor))
      }),
    }),
  })

/** A button of a page: does what it says, and leads back to the page `from`, as does whoever comes by GET. */
export const buttonRoute = (
  house: House,
  path: string,
  from: (desk: Desk) => string,
  press: (desk: Desk) => Promise<unknown>,
): PlainRoute =>
  deskRoute(house, path, {
    GET: async (desk) => seeOther(from(desk)),
    async POST(desk) {
      await press(desk)
      return seeOther(from(desk))
    },
  })

/** Where a visitor is a member; throws NotFound for an id that is none, and for a workspace that is not theirs. */
export async function memberPlace(
  house: House,
  { personId }: Visitor,
  { params }: PlainRequest,
): Promise<Place> {
  for (const id of Object.values(params)) if (!isId(id)) throw NotFound()
  const place = await placeOf(house, personId, params['workspace'] ?? '')
  if (place === undefined) throw NotFound()
  return place
}

async function deskOf(house: House, visitor: Visitor, request: PlainRequest): Promise<Desk> {
  const place = await memberPlace(house, visitor, request)
  if (!administers(place)) throw NotAllowed()
  return {
    house,
    visitor,
    place,
    ctx: contextOf(house, place),
    base: `/settings/${place.workspace.id}`,
    path: request.path,
    query: new URLSearchParams(request.query),
    id: (name) => request.params[name] ?? '',
  }
}
