import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { InsufficientScope } from '#kernel/http/http-errors.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { addSuppression } from './add-suppression.ts'
import { liftSuppressionById } from './lift-suppression.ts'
import { findKey, nameOf } from './suppression-key.ts'
import { findSuppression, listSuppressions, suppressionFilters } from './suppression-queries.ts'
import { Suppression, SuppressionBody, presentSuppression, subjectIn } from './suppression-schemas.ts'
import { subjectOf } from './suppression.ts'

const tag = 'Suppressions'

export const getSuppressions = listEndpoint('GET /suppressions', {
  scope: 'compliance:read',
  tag,
  summary: 'List suppressions',
  description:
    'Lists opt-outs and other reasons not to contact a number, an address, or a contact, newest first, including lifted ones. Gable stores numbers and addresses only as keyed hashes and never shows them. With `contacts:read:pii`, you can filter by `phone` or `email`.',
  item: Suppression,
  filters: suppressionFilters,
  errors: { 403: '`phone` and `email` require `contacts:read:pii`.' },
  async rows(ctx, { query: { phone, email, ...query }, page }) {
    const wanted = { ...query, masked: ctx.masked }
    if (phone === undefined && email === undefined) return listSuppressions(ctx.db, wanted, page)
    if (ctx.masked) throw InsufficientScope('contacts:read:pii')
    const subjects = [
      ...(phone === undefined ? [] : [subjectOf('phone', phone)]),
      ...(email === undefined ? [] : [subjectOf('email', email)]),
    ]
    const key = await findKey(ctx)
    const [subject, other] = subjects.map((one) => key && nameOf(key, one))
    // No suppression is about both a number and an address.
    if (subject === undefined || other !== undefined) return []
    return listSuppressions(ctx.db, { ...wanted, subject }, page)
  },
  present: presentSuppression,
})

export const getSuppressionCount = countEndpoint(getSuppressions)

export const postSuppression = endpoint('POST /suppressions', {
  scope: 'compliance:write',
  tag,
  fields: true,
  summary: 'Suppress a person',
  description:
    'Takes effect with the response; no message starts sending after that. Also applies to numbers and addresses that the person no longer has. If the suppression already exists, the response is 200; an opt-out gets any missing channels.',
  body: SuppressionBody,
  responses: { 200: Suppression, 201: Suppression },
  errors: { 409: '`contact_erased`: the contact has been erased.' },
  async handle(ctx, { body }) {
    const { kind, channels } = body
    const { row, isNew } = await addSuppression(ctx, {
      subject: subjectIn(body),
      kind,
      channels,
      source: 'api',
    })
    const shown = presentSuppression(row)
    return isNew ? created(shown) : ok(shown)
  },
})

export const getSuppression = endpoint('GET /suppressions/{id}', {
  scope: 'compliance:read',
  tag,
  fields: true,
  summary: 'Retrieve a suppression',
  description:
    'Which number, address, or contact may not be contacted, on which channels, and since when. The number or address itself is not stored.',
  responses: { 200: Suppression },
  handle: async (ctx, { params }) =>
    ok(presentSuppression(orNotFound(await findSuppression(ctx.db, params.id, ctx.masked)))),
})

export const postLiftSuppression = endpoint('POST /suppressions/{id}/lift', {
  scope: 'compliance:write',
  tag,
  fields: true,
  summary: 'Lift a suppression',
  description:
    'Lifts an opt-out for all its channels. Gable keeps the record. Other suppressions of the same person stay in effect.',
  responses: { 200: Suppression },
  errors: { 409: '`suppression_lifted`: the suppression has already been lifted.' },
  handle: async (ctx, { params }) => ok(presentSuppression(await liftSuppressionById(ctx, params.id))),
})
