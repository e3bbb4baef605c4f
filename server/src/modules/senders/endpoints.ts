import { orNotFound } from '#kernel/errors.ts'
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
  description: 'Returns the numbers and addresses that messages come from, newest first.',
  item: senders.Record,
  filters: senderFilters,
  rows: ({ db }, { query, page }) => listSendersPage(db, query, page),
})

export const postSender = endpoint('POST /senders', {
  scope: write,
  summary: 'Add a sender',
  description:
    'The first sender of a channel is its default. The provider reports the `registration` states. You can set them only if the connection is simulated, and only to known values.',
  body: senders.Draft,
  responses: { 201: senders.Record },
  errors: { 409: '`conflict`: the workspace already has a sender with this address.' },
  handle: async (ctx, { body }) => created(await createSender(ctx, body)),
})

export const getSender = endpoint('GET /senders/{id}', {
  scope: read,
  summary: 'Retrieve a sender',
  description:
    'A sender is a number or an address that messages come from. `registration` says how far its registration with the carriers is.',
  responses: { 200: senders.Record },
  handle: async ({ db }, { params }) => ok(orNotFound(await findSenderById(db, params.id))),
})

export const patchSender = endpoint('PATCH /senders/{id}', {
  scope: write,
  summary: 'Update a sender',
  description:
    '`is_default: true` replaces the current default of the channel. Members of `registration` that you omit keep their values.',
  body: senders.Patch,
  responses: { 200: senders.Record },
  handle: async (ctx, { params, body }) => ok(await updateSender(ctx, params.id, body)),
})

export const getTemplates = listEndpoint('GET /templates', {
  scope: read,
  tag,
  summary: 'List message templates',
  description: 'Newest first. Only approved templates can be sent.',
  item: templates.Record,
  rows: ({ db }, { page }) => listTemplates(db, page.keyset()),
})

export const postTemplate = endpoint('POST /templates', {
  scope: write,
  tag,
  summary: 'Add a message template',
  description:
    'Records a template of a WhatsApp account. WhatsApp reports its status. You can set the status only if the connection is simulated.',
  body: templates.Draft,
  responses: { 201: templates.Record },
  errors: { 409: '`conflict`: the account already has a template with this name and language.' },
  handle: async (ctx, { body }) => created(await createTemplate(ctx, body)),
})

export const getTemplate = endpoint('GET /templates/{id}', {
  scope: read,
  tag,
  summary: 'Retrieve a message template',
  description: '`status` says whether the provider has approved the template for sending.',
  responses: { 200: templates.Record },
  handle: async ({ db }, { params }) => ok(orNotFound(await findTemplateById(db, params.id))),
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
