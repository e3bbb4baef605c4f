import type { Runtime } from '#kernel/context.ts'
import { AppError, orNotFound } from '#kernel/errors.ts'
import { InsufficientScope } from '#kernel/http/http-errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { reaches } from '#kernel/reach.ts'
import { type MemberRequest, accountHeader, memberRoute } from '../account/public.ts'
import {
  type FieldErrors,
  type FormFields,
  type Part,
  alert,
  area,
  fieldErrorsOf,
  hidden,
  html,
  named,
  page,
  table,
} from '../pages/public.ts'
import { AcknowledgmentDraft, acknowledgeFlags } from './acknowledge-flags.ts'
import { RemarksChanged } from './errors.ts'
import type { Flag } from './listing-parts.ts'
import type { Listing } from './listing.ts'
import { findListing, listInReview } from './queries.ts'

/** The settings page on which members review and acknowledge the words that the fair-housing rules flag in remarks. */
export const fairHousingPageRoutes = (runtime: Runtime): PlainRoute[] => [
  memberRoute(
    runtime,
    { path: '/settings/fair-housing', title: 'Fair housing' },
    {
      async GET(request) {
        const id = request.query.get('listing')
        return id === null ? listPage(request) : listingPage(request, await flagged(request, id))
      },
      POST: acknowledge,
    },
  ),
]

async function listPage({ user, ctx, here, membership }: MemberRequest): Promise<PlainResponse> {
  const rows = (await listInReview(ctx.db)).map((listing) => [
    html`<a href="${here}&amp;listing=${listing.id}">${named(addressOf(listing))}</a>`,
    named(listing.fair_housing.flags.map(inWords).join(', ')),
  ])
  return page({
    title: 'Fair housing',
    header: accountHeader(user, { membership }),
    wide: true,
    main: html`<p>The fair housing rules flag words in the remarks of these listings of ${named(membership.workspace.name)}. A listing cannot be active or coming soon until the words change or a person acknowledges them.</p>
${table('Listings to review, newest first', ['Listing', 'Flagged'], rows, 'No listing waits for a review.')}`,
  })
}

const inWords = ({ text, category }: Flag) => `“${text}” (${category.replaceAll('_', ' ')})`

const addressOf = ({ street_number, street_name, unit_number, city, mls_number }: Listing): string =>
  [street_number, street_name, unit_number, city].filter(Boolean).join(' ') || (mls_number ?? 'No address')

/** The listing. Throws 404 unless this member may change it. */
async function flagged({ ctx }: MemberRequest, id: string): Promise<Listing> {
  const listing = await findListing(ctx.db, id)
  return orNotFound(listing && reaches(ctx.reach, listing.list_agent_id) ? listing : undefined)
}

function listingPage(
  { user, here, membership }: MemberRequest,
  listing: Listing,
  { message, errors = {} }: { message?: string; errors?: FieldErrors } = {},
): PlainResponse {
  const { public_remarks, fair_housing, id, updated_at } = listing
  const isOpen = fair_housing.status === 'review'
  return page({
    title: 'Acknowledge remarks',
    heading: named(addressOf(listing)),
    header: accountHeader(user, { membership }),
    status: message === undefined && Object.keys(errors).length === 0 ? 200 : 400,
    main: html`${message !== undefined && alert(message)}
<p dir="auto">${marked(public_remarks ?? '', fair_housing.flags)}</p>
${
  isOpen
    ? html`<p>Flagged: ${named(fair_housing.flags.map(inWords).join(', '))}. To change the words, update the listing.</p>
<form method="post" action="/settings/fair-housing">
${hidden({ csrf: user.csrf, workspace: membership.workspace.id, listing: id, seen: updated_at })}
${area({
  name: 'reason',
  label: 'Reason',
  hint: 'Why the flagged words express no preference and no limit. Gable records the reason with your name.',
  error: errors['reason'],
  rows: 3,
})}
<p class="buttons"><button class="primary">Acknowledge</button> <a href="${here}">Cancel</a></p>
</form>`
    : html`<p>There is nothing to acknowledge. <a href="${here}">All listings to review</a></p>`
}`,
  })
}

/** The remarks with the flagged words highlighted. */
function marked(remarks: string, flags: readonly Flag[]): Part {
  const parts: Part[] = []
  let at = 0
  for (const { start, end } of flags.toSorted((one, other) => one.start - other.start)) {
    if (start < at) continue
    parts.push(remarks.slice(at, start), html`<mark>${remarks.slice(start, end)}</mark>`)
    at = end
  }
  return [...parts, remarks.slice(at)]
}

const validate: (body: unknown) => void = bodyValidator(AcknowledgmentDraft)

async function acknowledge(request: MemberRequest, form: FormFields): Promise<PlainResponse | undefined> {
  const { ctx, membership } = request
  if (!ctx.scopes.has('listings:write')) throw InsufficientScope('listings:write', 'Your role')
  const { id } = await flagged(request, form.text('listing'))
  const draft = { reason: form.text('reason').trim() }
  try {
    validate(draft)
    await acknowledgeFlags(ctx, id, membership.member.id, { ...draft, seen: form.text('seen') })
    return undefined
  } catch (error) {
    const isOutdated = error instanceof AppError && error.code === RemarksChanged.code
    const fault = isOutdated ? { message: error.message } : { errors: fieldErrorsOf(error) }
    return listingPage(request, await flagged(request, id), fault)
  }
}
