import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Removal } from '#kernel/schemas.ts'
import { AiSettings, AiSettingsPatch } from './ai-settings.ts'
import { changeAiSettings } from './change-settings.ts'
import { personas, presentPersona } from './persona.ts'
import { findAiSettings, findPersona, listPersonaVersions, listPersonas, personaFilters } from './queries.ts'
import { createPersona, deletePersona, updatePersona } from './save-persona.ts'
import { PersonaVersion } from './version.ts'

export const getPersonas = listEndpoint('GET /personas', {
  scope: 'automations:read',
  summary: 'List AI personas',
  description: 'Newest first. An enabled persona writes only if its `mode` lets it.',
  item: personas.Record,
  filters: personaFilters,
  rows: (ctx, { query, page }) => listPersonas(ctx.db, query, page),
  present: presentPersona,
})

export const postPersona = endpoint('POST /personas', {
  scope: 'automations:write',
  summary: 'Create a persona',
  description: 'A persona writes nothing while its `mode` is `off`.',
  body: personas.Draft,
  responses: { 201: personas.Record },
  handle: async (ctx, { body }) => created(presentPersona(await createPersona(ctx, body))),
})

export const getPersona = endpoint('GET /personas/{id}', {
  scope: 'automations:read',
  summary: 'Retrieve a persona',
  description: 'A persona decides how the AI writes, and whether it suggests, waits for approval, or sends.',
  responses: { 200: personas.Record },
  handle: async (ctx, { params }) => ok(presentPersona(orNotFound(await findPersona(ctx.db, params.id)))),
})

export const patchPersona = endpoint('PATCH /personas/{id}', {
  scope: 'automations:write',
  summary: 'Update a persona',
  description: 'Creates a new version. Turning the persona off also stops its queued messages.',
  body: personas.Patch,
  responses: { 200: personas.Record },
  handle: async (ctx, { params, body }) => ok(presentPersona(await updatePersona(ctx, params.id, body))),
})

export const deletePersonaEndpoint = endpoint('DELETE /personas/{id}', {
  scope: 'automations:write',
  summary: 'Delete a persona',
  description: 'A persona that is on must be turned off first.',
  responses: { 200: Removal },
  errors: { 409: '`persona_in_use`: the persona is on.' },
  handle: async (ctx, { params }) => ok(await deletePersona(ctx, params.id)),
})

export const getPersonaVersions = listEndpoint('GET /personas/{id}/versions', {
  scope: 'automations:read',
  summary: 'List the versions of a persona',
  description:
    'Lists the persona as it was after each change, newest first. Versions never change. `GET /generations` names the version that each request to a model used.',
  item: PersonaVersion,
  async rows(ctx, { params, page }) {
    orNotFound(await findPersona(ctx.db, params.id))
    return listPersonaVersions(ctx.db, params.id, page)
  },
})

export const getAiSettings = endpoint('GET /ai-settings', {
  scope: 'automations:read',
  summary: 'Retrieve the AI settings',
  description:
    'The settings that all personas share: whether the AI is on, its daily budget, and whether the model judges each text once more.',
  responses: { 200: AiSettings },
  handle: async (ctx) => ok(await findAiSettings(ctx.db)),
})

export const patchAiSettings = endpoint('PATCH /ai-settings', {
  scope: 'automations:write',
  summary: 'Update the AI settings',
  description: 'Changes apply to all personas of the workspace at once.',
  body: AiSettingsPatch,
  responses: { 200: AiSettings },
  handle: async (ctx, { body }) => ok(await changeAiSettings(ctx, body)),
})
