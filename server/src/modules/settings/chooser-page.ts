import type { House } from '#kernel/context.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import { html, named, page, pageRoute, seeOther } from '../pages/public.ts'
import {
  type Place,
  type Visitor,
  administers,
  placesOf,
  signedIn,
  signedInHeader,
} from '../signin/public.ts'
import { deskPage, sections } from './desk-page.ts'
import { memberPlace } from './desk.ts'

/** Which workspace it is about, and what there is to look after in it. */
export const chooserRoutes = (house: House): PlainRoute[] => [
  pageRoute('/', { GET: async () => seeOther('/settings') }),
  pageRoute('/settings', {
    GET: signedIn(house, async (visitor) => {
      const places = await placesOf(house, visitor.personId)
      const [only] = places
      if (only !== undefined && places.length === 1) return seeOther(`/settings/${only.workspace.id}`)
      return only === undefined ? nowhere(visitor) : chooser(visitor, places)
    }),
  }),
  pageRoute('/settings/:workspace', {
    GET: signedIn(house, async (visitor, request) => {
      const place = await memberPlace(house, visitor, request)
      return administers(place) ? overview(visitor, place) : agentsPage(visitor, place)
    }),
  }),
]

const chooser = (visitor: Visitor, places: readonly Place[]): PlainAnswer =>
  page({
    title: 'Choose a workspace',
    header: signedInHeader(visitor),
    main: html`<ul class="cards">${places.map(
      ({ workspace, member }) => html`<li><a href="/settings/${workspace.id}">${named(workspace.name)}</a>
<span class="hint">You are its ${member.role}.</span></li>
`,
    )}</ul>`,
  })

const nowhere = (visitor: Visitor): PlainAnswer =>
  page({
    title: 'You are in no workspace',
    header: signedInHeader(visitor),
    main: html`<p>You are signed in as ${named(visitor.email)}, and no workspace has you as a member now. Ask an owner or admin of
yours to invite this address; the link in the mail brings you in.</p>`,
  })

const overview = (visitor: Visitor, place: Place): PlainAnswer =>
  deskPage({ visitor, place }, undefined, {
    title: 'Settings',
    main: html`<ul class="cards">${sections.map(
      ({ path, label, about }) => html`<li><a href="/settings/${place.workspace.id}/${path}">${label}</a>
<span class="hint">${about}</span></li>
`,
    )}</ul>`,
  })

const agentsPage = (visitor: Visitor, { workspace }: Place): PlainAnswer =>
  page({
    title: 'Nothing for you to do here',
    header: signedInHeader(visitor),
    main: html`<p>You are an agent of ${named(workspace.name)}. Its owners and admins look after its members, keys, apps and
webhooks; ask one of them when something must change.</p>`,
  })
