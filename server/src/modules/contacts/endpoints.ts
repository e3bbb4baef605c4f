import { Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { batchEndpoint } from '#kernel/http/batch.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { InsufficientScope } from '#kernel/http/http-errors.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Timestamp } from '#kernel/schemas.ts'
import { type Point, pointsOf } from './contact-points.ts'
import { contacts } from './contact.ts'
import { createContact } from './create-contact.ts'
import { eraseContact } from './erase-contact.ts'
import { setAi } from './pause-ai.ts'
import { contactFilters, findContact, listContacts, listHoldersOfAll, searchContacts } from './queries.ts'
import { contactTerms } from './search-form.ts'
import { updateContact } from './update-contact.ts'
import { upsertContact } from './upsert-contact.ts'

export const getContacts = listEndpoint('GET /contacts', {
  scope: 'contacts:read',
  summary: 'List contacts',
  description: 'Newest first. Omits erased contacts.',
  item: contacts.Record,
  filters: contactFilters,
  errors: { 403: '`phone` and `email` require `contacts:read:pii`.' },
  async rows(ctx, { query, page }) {
    const { q = '', tag, tags_all, phone, email } = query
    const points = wantedPoints(ctx, { phone, email })
    const terms = contactTerms(q)
    if (terms === null || points === null) return []
    if (terms.length === 0 && tag === undefined && tags_all === undefined)
      return listContacts(ctx.db, query, page, points)
    const holders = points.length === 0 ? undefined : await listHoldersOfAll(ctx.db, points)
    const { ids } = page.selection
    const both = holders === undefined ? ids : holders.filter((id) => ids?.includes(id) !== false)
    const selection = { ...page.selection, ids: both }
    return searchContacts(ctx.searches(), query, { terms, withDetails: !ctx.masked }, { ...page, selection })
  },
})

export const getContactCount = countEndpoint(getContacts)

/** The number and address of the query, as they are stored. Null if no one can have one of them. */
function wantedPoints(ctx: Ctx, wanted: { phone?: string | undefined; email?: string | undefined }) {
  const { phone = null, email = null } = wanted
  if ((phone !== null || email !== null) && ctx.masked) throw InsufficientScope('contacts:read:pii')
  const points = pointsOf({ phone, email })
  const has = (kind: Point['type']) => points.some(({ type }) => type === kind)
  return has('phone') === (phone !== null) && has('email') === (email !== null) ? points : null
}

const taken = '`external_id_taken`: another contact has an ID of `external_ids`'

export const postContact = endpoint('POST /contacts', {
  scope: 'contacts:write',
  summary: 'Create a contact',
  description:
    'Creates a contact in any case: a contact with the same number or address is not changed. To capture an inquiry along with its consent, use `POST /leads`, which finds the contact. With `upsert=external_id`, the contact that has one of the `external_ids` is changed instead, if there is one: fields that you omit keep their values, `external_ids` are added, and the response is a 200. A credential with `contacts:read:pii` that sees all contacts finds the IDs that such credentials gave. One that sees only some contacts also has IDs of its own, and one without `contacts:read:pii`, or that sees only what it created, has only those: what others gave neither matches nor gets in the way.',
  query: Type.Object({
    upsert: Type.Optional(
      Type.Enum(['external_id'], {
        description: 'Change the contact that has one of the `external_ids`, if there is one.',
      }),
    ),
  }),
  body: contacts.Draft,
  responses: { 200: contacts.Record, 201: contacts.Record },
  errors: {
    409: `${taken}; \`contact_erased\`: with \`upsert\`, the contact that had an ID has been erased.`,
  },
  async handle(ctx, { query, body }) {
    if (query.upsert === undefined) return created(await createContact(ctx, body))
    const { contact, isNew } = await upsertContact(ctx, body)
    return isNew ? created(contact) : ok(contact)
  },
})

export const postContactBatch = batchEndpoint(postContact, 'Create many contacts', 'ContactBatch')

export const getContact = endpoint('GET /contacts/{id}', {
  scope: 'contacts:read',
  summary: 'Retrieve a contact',
  description: 'An erased contact has `erased_at` and no personal data.',
  responses: { 200: contacts.Record },
  handle: async (ctx, { params }) => ok(orNotFound(await findContact(ctx.db, params.id))),
})

export const patchContact = endpoint('PATCH /contacts/{id}', {
  scope: 'contacts:write',
  summary: 'Update a contact',
  description: 'To make sure that you do not overwrite a change that you have not seen, send `If-Match`.',
  body: contacts.Patch,
  responses: { 200: contacts.Record },
  errors: { 409: `\`contact_erased\`: the contact has been erased; ${taken}.` },
  handle: async (ctx, { params, body }) => ok(await updateContact(ctx, params.id, body)),
})

const AiStatus = Type.Object(
  { status: Type.Enum(['active', 'paused']) },
  { title: 'AiStatus', additionalProperties: false, examples: [{ status: 'active' }] },
)

export const postContactAi = endpoint('POST /contacts/{id}/ai', {
  scope: 'contacts:write',
  summary: 'Pause or resume the AI for a contact',
  description:
    'Applies to the person, including every other contact with the same phone number or email address.',
  body: AiStatus,
  responses: { 200: contacts.Record },
  errors: { 409: '`contact_erased`: the contact has been erased.' },
  handle: async (ctx, { params, body }) => ok(await setAi(ctx, params.id, body.status)),
})

const Erasure = Type.Object(
  { id: Type.String(), erased: Type.Literal(true), erased_at: Timestamp },
  {
    title: 'Erasure',
    examples: [{ id: 'cmi8h2k5p0001zq8r4t6w9x3y', erased: true, erased_at: '2026-11-20T20:14:31.002Z' }],
  },
)

export const deleteContact = endpoint('DELETE /contacts/{id}', {
  scope: 'contacts:write',
  summary: 'Erase a contact',
  description:
    'Permanently removes names, addresses, notes, and all other personal data from the contact and its history. The record remains, so that other records can refer to it.',
  responses: { 200: Erasure },
  handle: async (ctx, { params }) => ok({ erased: true as const, ...(await eraseContact(ctx, params.id)) }),
})
