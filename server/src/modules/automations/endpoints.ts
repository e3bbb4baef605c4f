import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import {
  AutomationPatchBody,
  ShownAutomation,
  automationFields,
  automationRecord,
  presentAutomation,
} from './automation.ts'
import { withStats } from './count-stats.ts'
import { definitionLevels } from './definition/definition.ts'
import { publishedSchema } from './definition/published-schema.ts'
import { stepsIn } from './definition/tree.ts'
import {
  automationFilters,
  findAutomationOfOwn,
  listAutomations,
  listVersions,
  versionFilters,
} from './queries.ts'
import { examineDefinition } from './require-definition.ts'
import { createAutomation, publishAutomation, updateAutomation } from './save-automation.ts'
import { AutomationVersion } from './version.ts'

export const getAutomations = listEndpoint('GET /automations', {
  scope: 'automations:read',
  summary: 'List automations',
  description:
    'Newest first, without those that are archived unless you ask for them. For the statistics of an automation, retrieve it.',
  item: automationRecord.Record,
  filters: automationFilters,
  rows: (ctx, { query, page }) => listAutomations(ctx.db, query, page),
  present: presentAutomation,
})

export const getAutomationCount = countEndpoint(getAutomations)

const unknownReference =
  'A member, an automation, a persona, or a webhook that the definition names does not exist.'

export const postAutomation = endpoint('POST /automations', {
  scope: 'automations:write',
  summary: 'Create an automation',
  description: 'The automation can enroll contacts once it is published and enabled.',
  body: automationRecord.Draft,
  bodyLevels: definitionLevels,
  responses: { 201: automationRecord.Record },
  errors: { 404: unknownReference },
  handle: async (ctx, { body }) => created(presentAutomation(await createAutomation(ctx, body))),
})

export const getAutomationSchema = endpoint('GET /automations/schema', {
  scope: 'automations:read',
  summary: 'Retrieve the JSON Schema of definitions',
  description:
    'Describes what `definition` may contain: triggers, conditions, steps, and exits. Use it to check or generate definitions.',
  responses: { 200: Type.Object({}, { title: 'AutomationSchema', additionalProperties: true }) },
  handle: async ({ eventTypes }) => ok(publishedSchema(eventTypes)),
})

const Definition = Type.Object(
  { definition: automationFields.definition.schema },
  {
    title: 'AutomationDefinitionDraft',
    additionalProperties: false,
    examples: [{ definition: { steps: [{ key: 'vip', type: 'tag', tag: 'vip' }] } }],
  },
)

export const postAutomationValidate = endpoint('POST /automations/validate', {
  scope: 'automations:write',
  summary: 'Validate a definition',
  description:
    'Checks a definition the way saving and publishing do, without saving it. The definition may not name an inactive member or an archived automation.',
  body: Definition,
  bodyLevels: definitionLevels,
  readOnly: true,
  responses: {
    200: Type.Object(
      {
        valid: Type.Literal(true),
        steps: Type.Integer(),
        warnings: Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
          description: 'Allowed settings that may have unexpected effects.',
        }),
      },
      { title: 'ValidDefinition', examples: [{ valid: true, steps: 3, warnings: [] }] },
    ),
  },
  errors: { 404: unknownReference },
  async handle(ctx, { body }) {
    const { definition, warnings } = await examineDefinition(ctx, body.definition)
    return ok({
      valid: true as const,
      steps: [...stepsIn(definition.steps)].length,
      warnings,
    })
  },
})

export const getAutomation = endpoint('GET /automations/{id}', {
  scope: 'automations:read',
  summary: 'Retrieve an automation',
  description: 'Includes how many contacts are enrolled.',
  fields: true,
  responses: { 200: ShownAutomation },
  handle: async (ctx, { params }) =>
    ok(await withStats(ctx.db, orNotFound(await findAutomationOfOwn(ctx.db, params.id)))),
})

export const patchAutomation = endpoint('PATCH /automations/{id}', {
  scope: 'automations:write',
  summary: 'Update an automation',
  description:
    'Changes the draft. A new `definition` takes effect when you publish it. `archived` archives or restores the automation.',
  body: AutomationPatchBody,
  bodyLevels: definitionLevels,
  responses: { 200: automationRecord.Record },
  errors: { 409: '`automation_enabled`: the automation is enabled, so it cannot be archived.' },
  handle: async (ctx, { params, body }) =>
    ok(presentAutomation(await updateAutomation(ctx, params.id, body))),
})

export const postAutomationPublish = endpoint('POST /automations/{id}/publish', {
  scope: 'automations:write',
  summary: 'Publish the draft of an automation',
  description:
    'Creates a version from the draft. Versions never change. Contacts who enroll from now on follow the new version; enrolled contacts keep theirs. If the draft has not changed, no version is created. Gable checks the draft again, because a member that it names may have left since.',
  responses: { 200: automationRecord.Record },
  errors: {
    400: '`validation_failed`: the draft is not valid, or it names an inactive member or an archived automation. `details` has the paths.',
    404: `There is no such automation. ${unknownReference}`,
  },
  handle: async (ctx, { params }) => ok(presentAutomation(await publishAutomation(ctx, params.id))),
})

export const getAutomationVersions = listEndpoint('GET /automations/{id}/versions', {
  scope: 'automations:read',
  summary: 'List the published versions of an automation',
  description:
    'Newest first. Versions never change. To go back to an earlier version, `PATCH` the automation with its `definition` and publish it.',
  item: AutomationVersion,
  filters: versionFilters,
  async rows(ctx, { params, query, page }) {
    orNotFound(await findAutomationOfOwn(ctx.db, params.id))
    return listVersions(ctx.db, params.id, query, page)
  },
})
