import { found } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { findSenderById, findTemplateById, listSendersPage, listTemplates, senderFilters } from './queries.ts'
import { createSender, updateSender } from './save-sender.ts'
import { createTemplate, updateTemplate } from './save-template.ts'
import { senders } from './sender.ts'
import { templates } from './template.ts'

const read = 'messages:read'
const write = 'settings:manage'
const tag = 'Message templates'

export const getSenders = listEndpoint('GET /senders', {
  scope: read,
  summary: 'List senders',
  description: 'The numbers and addresses that messages come from, newest first.',
  item: senders.Record,
  filters: senderFilters,
  rows: ({ db }, { query, page }) => listSendersPage(db, query, page),
})

export const postSender = endpoint('POST /senders', {
  scope: write,
  summary: 'Add a sender',
  description:
    'The first sender of a channel is its default. States of `registration` come from the provider; they can be stated only where the connection is simulated.',
  body: senders.Draft,
  responses: { 201: senders.Record },
  errors: { 409: '`conflict`: the workspace has a sender of this address.' },
  handle: async (ctx, { body }) => created(await createSender(ctx, body)),
})

export const getSender = endpoint('GET /senders/{id}', {
  scope: read,
  summary: 'Retrieve a sender',
  responses: { 200: senders.Record },
  handle: async ({ db }, { params }) => ok(found(await findSenderById(db, params.id))),
})

export const patchSender = endpoint('PATCH /senders/{id}', {
  scope: write,
  summary: 'Update a sender',
  description:
    '`is_default: true` takes the place of the present default of the channel. Members of `registration` that are left out keep their values.',
  body: senders.Patch,
  responses: { 200: senders.Record },
  handle: async (ctx, { params, body }) => ok(await updateSender(ctx, params.id, body)),
})

export const getTemplates = listEndpoint('GET /templates', {
  scope: read,
  tag,
  summary: 'List message templates',
  description: 'Newest first.',
  item: templates.Record,
  rows: ({ db }, { page }) => listTemplates(db, page.keyset()),
})

export const postTemplate = endpoint('POST /templates', {
  scope: write,
  tag,
  summary: 'Add a message template',
  description:
    'Records a template of a WhatsApp account. Its status comes from WhatsApp; it can be stated only where the connection is simulated.',
  body: templates.Draft,
  responses: { 201: templates.Record },
  errors: { 409: '`conflict`: the account has a template of this name and language.' },
  handle: async (ctx, { body }) => created(await createTemplate(ctx, body)),
})

export const getTemplate = endpoint('GET /templates/{id}', {
  scope: read,
  tag,
  summary: 'Retrieve a message template',
  responses: { 200: templates.Record },
  handle: async ({ db }, { params }) => ok(found(await findTemplateById(db, params.id))),
})

export const patchTemplate = endpoint('PATCH /templates/{id}', {
  scope: write,
  tag,
  summary: 'Update a message template',
  description: 'After a change of its text or category, a template waits for approval again.',
  body: templates.Patch,
  responses: { 200: templates.Record },
  handle: async (ctx, { params, body }) => ok(await updateTemplate(ctx, params.id, body)),
})
