import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { type Page, ListOf } from '#kernel/http/paging.ts'
import { searchTerms } from './contact.ts'
import { createContact } from './create-contact.ts'
import { eraseContact } from './erase-contact.ts'
import { findContact, listContacts as queryContacts, searchContacts } from './queries.ts'
import { Contact, ContactDraft, ContactFilters, ContactPatch, Erasure, presentContact } from './schemas.ts'
import { updateContact } from './update-contact.ts'

const tag = 'Contacts'
const erasedConflict = { 409: '`contact_erased`: the contact has been erased.' }

export const getContacts = endpoint('GET /contacts', {
  scope: 'contacts:read',
  tag,
  summary: 'List contacts',
  description: 'Newest first. Erased contacts are left out.',
  query: ContactFilters,
  answers: { 200: ListOf(Contact) },
  list: true,
  fields: true,
  handle: async (ctx, { query, page }) =>
    ok(page.answer(await rowsFor(ctx, query, page), (contact) => presentContact(contact, ctx))),
})

const rowsFor = (ctx: Ctx, { q, ...filters }: ContactFilters, page: Page) => {
  const terms = searchTerms(q ?? '')
  if (terms.length === 0 && filters.tag === undefined) return queryContacts(ctx.db, filters, page)
  const withDetails = ctx.scopes.has('contacts:read:pii')
  return searchContacts(ctx.searches, filters, { terms, withDetails }, page)
}

export const postContact = endpoint('POST /contacts', {
  scope: 'contacts:write',
  tag,
  summary: 'Create a contact',
  body: ContactDraft,
  answers: { 201: Contact },
  fields: true,
  errors: { 404: '`owner_id` names nobody in this workspace.' },
  handle: async (ctx, { body }) => created(presentContact(await createContact(ctx, body), ctx)),
})

export const getContact = endpoint('GET /contacts/{id}', {
  scope: 'contacts:read',
  tag,
  summary: 'Read a contact',
  description: 'An erased contact is answered with `erased_at` and without personal data.',
  answers: { 200: Contact },
  fields: true,
  handle: async (ctx, { params }) => ok(presentContact(found(await findContact(ctx.db, params.id)), ctx)),
})

export const patchContact = endpoint('PATCH /contacts/{id}', {
  scope: 'contacts:write',
  tag,
  summary: 'Update a contact',
  body: ContactPatch,
  answers: { 200: Contact },
  fields: true,
  errors: erasedConflict,
  handle: async (ctx, { params, body }) => ok(presentContact(await updateContact(ctx, params.id, body), ctx)),
})

export const deleteContact = endpoint('DELETE /contacts/{id}', {
  scope: 'contacts:write',
  tag,
  summary: 'Erase a contact',
  description:
    'Takes names, addresses, notes and all other personal data out of the contact and its history, in place and for good. The record stays for what refers to it.',
  answers: { 200: Erasure },
  handle: async (ctx, { params }) => {
    const { id, erased_at } = await eraseContact(ctx, params.id)
    return ok({ id, erased: true, erased_at })
  },
})
