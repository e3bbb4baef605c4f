import type { House } from '#kernel/context.ts'
import type { PlainAnswer, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import { expanded, isScope, personalScopes, scopes } from '../access/public.ts'
import { choices, hidden, html, named, notice, page, pageRoute, seeOther } from '../pages/public.ts'
import {
  type Place,
  type Visitor,
  administers,
  contextOf,
  placeOf,
  placesOf,
  readForm,
  signedIn,
  signedInHeader,
} from '../signin/public.ts'
import { approve } from './approve.ts'
import { type AuthorizeRequest, deny } from './authorize-request.ts'
import { MayNotApprove } from './errors.ts'
import { judgeQuery } from './judge-query.ts'
import { destinationOf, formTargetOf } from './redirect-uri.ts'

/**
 * Where a person decides whether an app may act for a workspace of theirs. The request stands in the address of the form
 * too and is judged anew when it is sent: in between anything may have changed.
 */
export function consentRoute(house: House, origin: () => string): PlainRoute {
  const withVerdict =
    (ask: (request: PlainRequest, asked: AuthorizeRequest) => Promise<PlainAnswer>) =>
    async (request: PlainRequest) => {
      const verdict = await judgeQuery(house, request.query, origin())
      if (verdict.kind === 'page') return notice(400, 'This link does not work', verdict.message)
      if (verdict.kind === 'redirect') return seeOther(verdict.location)
      return ask(request, verdict.request)
    }
  return pageRoute('/oauth/authorize', {
    GET: withVerdict((request, asked) =>
      signedIn(house, async (visitor) => {
        const places = await placesOf(house, visitor.personId)
        return consentPage(visitor, asked, places.filter(administers), request.query)
      })(request),
    ),
    POST: withVerdict((request, asked) =>
      signedIn(house, async (visitor) => {
        const form = readForm(request, visitor)
        if (form.text('decision') !== 'allow') return seeOther(deny(asked, origin()))
        const place = await placeOf(house, visitor.personId, form.text('workspace_id'))
        if (place === undefined || !administers(place)) throw MayNotApprove()
        return seeOther(await approve(contextOf(house, place), place.member.id, asked, origin()))
      })(request),
    ),
  })
}

function consentPage(
  visitor: Visitor,
  asked: AuthorizeRequest,
  places: readonly Place[],
  query: string,
): PlainAnswer {
  const { app, redirectUri } = asked
  const mayAllow = places.length > 0
  return page({
    title: 'An app asks for access',
    header: signedInHeader(visitor),
    formTargets: [formTargetOf(redirectUri)],
    main: html`<p><strong>${named(app.name)}</strong> wants to act for your workspace, and goes on to
<strong>${destinationOf(redirectUri)}</strong>. Whoever made it chose its name; nobody here has checked it.</p>
<h2>It could</h2>
<ul class="scopes">
${wordsOf(asked.scopes)}</ul>
<form method="post" action="/oauth/authorize?${query}">
${hidden({ csrf: visitor.csrf })}
${mayAllow ? workspaceOf(places) : ''}
<p class="buttons">${mayAllow ? html`<button class="primary" name="decision" value="allow">Allow</button>` : ''}
<button name="decision" value="deny" formnovalidate>${mayAllow ? 'Deny' : 'Go back'}</button></p>
</form>
${
  mayAllow
    ? html`<p class="muted">You can take this back at any time, under connected apps in the settings.</p>`
    : html`<p>Only owners and admins of a workspace can allow this, and you are neither of any.</p>`
}
<p class="muted">You are signed in as ${visitor.email}.</p>`,
  })
}

/** All that comes with the scopes, in the words of the contract. */
const wordsOf = (asked: readonly string[]) =>
  [...expanded(asked)].filter(isScope).map(
    (
      scope,
    ) => html`<li>${scopes[scope]}${personalScopes.has(scope) ? html` <span class="personal">personal data</span>` : ''}
<span class="hint"><code>${scope}</code></span></li>
`,
  )

/** None is chosen beforehand where there are several: it would be the wrong one half of the time. */
const workspaceOf = (places: readonly Place[]) =>
  places.length === 1
    ? places.map(
        ({ workspace: { id, name } }) =>
          html`${hidden({ workspace_id: id })}<p>In the workspace <strong>${named(name)}</strong>.</p>`,
      )
    : choices(
        'workspace_id',
        'In which workspace?',
        places.map(({ workspace: { id, name } }) => ({ value: id, label: named(name) })),
        { single: true, required: true },
      )
