import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { accepted, created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { reference } from '#kernel/records/fields.ts'
import { findContact } from '../contacts/public.ts'
import {
  AutomationPatchBody,
  ShownAutomation,
  automationFields,
  automationRecord,
  disablings,
  presentAutomation,
} from './automation.ts'
import { changeEnrollment } from './change-enrollment.ts'
import { withStats } from './count-stats.ts'
import { definitionLevels } from './definition/definition.ts'
import { publishedSchema } from './definition/published-schema.ts'
import { stepsIn } from './definition/tree.ts'
import { enrollContact } from './enroll.ts'
import {
  enrollmentFilters,
  enrollmentInFilters,
  findEnrollment,
  listEnrollmentsIn,
  listEnrollmentsOf,
} from './enrollment-queries.ts'
import {
  CreatedEnrollment,
  EnrollmentContext,
  EnrollmentDetails,
  enrollmentRecord,
  presentEnrollment,
} from './enrollment.ts'
import { explainEnrollment } from './explain-enrollment.ts'
import {
  automationFilters,
  findAutomationOfOwn,
  listAutomations,
  listVersions,
  versionFilters,
} from './queries.ts'
import { examineDefinition } from './require-definition.ts'
import {
  createAutomation,
  disableAutomation,
  enableAutomation,
  publishAutomation,
  updateAutomation,
} from './save-automation.ts'
import { AutomationVersion } from './version.ts'

export const getAutomations = listEndpoint('GET /automations', {
  scope: 'automations:read',
  summary: 'List automations',
  item: automationRecord.Record,
  filters: automationFilters,
  rows: (ctx, { query, page }) => listAutomations(ctx.db, query, page),
  present: presentAutomation,
})

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

export const postAutomationEnable = endpoint('POST /automations/{id}/enable', {
  scope: 'automations:write',
  summary: 'Enable an automation',
  description:
    'The automation can enroll contacts. Enrollments that paused when it was disabled resume with the rest of their waits. Gable resumes overdue enrollments at 200 per hour for each automation. `GET /automation-changes/{id}` with the `change_id` shows the progress.',
  responses: { 200: automationRecord.Record },
  errors: {
    409: '`automation_unpublished`: no version has been published; `automation_archived`: the automation is archived; `automation_cancelling`: its enrollments are being cancelled.',
  },
  handle: async (ctx, { params }) => ok(presentAutomation(await enableAutomation(ctx, params.id))),
})

export const postAutomationDisable = endpoint('POST /automations/{id}/disable', {
  scope: 'automations:write',
  summary: 'Disable an automation',
  description:
    'The automation stops enrolling contacts, and enrolled contacts take no further steps. Gable updates their status in batches; `GET /automation-changes/{id}` with the `change_id` shows the progress. To change `running`, disable the automation again.',
  body: Type.Object(
    {
      running: Type.Optional(
        Type.Enum(disablings, {
          description:
            'What happens to enrolled contacts. `pause` (default): they wait until the automation is enabled; `finish`: they continue; `cancel`: their enrollments end, and their messages that have not started sending are cancelled.',
        }),
      ),
    },
    { title: 'AutomationDisabling', additionalProperties: false, examples: [{ running: 'finish' }] },
  ),
  responses: { 200: automationRecord.Record },
  handle: async (ctx, { params, body }) =>
    ok(presentAutomation(await disableAutomation(ctx, params.id, body.running ?? 'pause'))),
})

export const postAutomationEnroll = endpoint('POST /automations/{id}/enroll', {
  scope: 'automations:manage',
  summary: 'Enroll a contact in an automation',
  description:
    'Gable stores the enrollment before it responds, and takes the first step soon afterwards. A contact who is already enrolled is not enrolled twice.',
  body: Type.Object(
    {
      contact_id: reference('contact', 'The contact to enroll.'),
      context: Type.Optional(EnrollmentContext),
    },
    {
      title: 'EnrollmentDraft',
      additionalProperties: false,
      examples: [{ contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y', context: { campaign: 'spring' } }],
    },
  ),
  fields: true,
  responses: { 202: CreatedEnrollment },
  errors: {
    409: '`automation_disabled`: the automation is disabled and cannot enroll contacts; `contact_erased`: the contact has been erased; `exclusive_group_taken`: the contact is enrolled in another automation of its group.',
  },
  async handle(ctx, { params, body }) {
    const { enrollment, created: isNew } = await enrollContact(ctx, params.id, body)
    return accepted({ ...presentEnrollment(enrollment), created: isNew })
  },
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

export const getAutomationEnrollments = listEndpoint('GET /automations/{id}/enrollments', {
  scope: 'automations:read',
  summary: 'List the enrollments in an automation',
  item: enrollmentRecord.Record,
  filters: enrollmentInFilters,
  async rows(ctx, { params, query, page }) {
    orNotFound(await findAutomationOfOwn(ctx.db, params.id))
    return listEnrollmentsIn(ctx.db, params.id, query, page)
  },
  present: presentEnrollment,
})

export const getContactEnrollments = listEndpoint('GET /contacts/{id}/enrollments', {
  scope: 'automations:read',
  summary: "List a contact's enrollments",
  item: enrollmentRecord.Record,
  filters: enrollmentFilters,
  async rows(ctx, { params, query, page }) {
    orNotFound(await findContact(ctx.db, params.id))
    return listEnrollmentsOf(ctx.db, params.id, query, page)
  },
  present: presentEnrollment,
})

export const getEnrollment = endpoint('GET /enrollments/{id}', {
  scope: 'automations:read',
  summary: 'Retrieve an enrollment',
  description: 'Includes its history and its next step.',
  fields: true,
  responses: { 200: EnrollmentDetails },
  handle: async (ctx, { params }) =>
    ok(await explainEnrollment(ctx.db, orNotFound(await findEnrollment(ctx.db, params.id)))),
})

export const patchEnrollment = endpoint('PATCH /enrollments/{id}', {
  scope: 'automations:manage',
  summary: 'Pause, resume, or cancel an enrollment',
  description:
    '`paused` stops the enrollment and its waits. A message that has not started sending is cancelled, and judged again when the enrollment resumes. `running` resumes it; overdue enrollments resume at 200 per hour for each automation. `cancelled` ends it permanently and cancels its messages that are waiting to be sent.',
  body: Type.Object(
    { status: Type.Enum(['paused', 'running', 'cancelled']) },
    { title: 'EnrollmentPatch', additionalProperties: false, examples: [{ status: 'paused' }] },
  ),
  responses: { 200: enrollmentRecord.Record },
  errors: {
    409: '`enrollment_ended`: the enrollment has ended; `automation_disabled`: its automation is disabled and does not let enrollments continue; `campaign_paused`: its campaign is paused.',
  },
  handle: async (ctx, { params, body }) =>
    ok(presentEnrollment(await changeEnrollment(ctx, params.id, body.status))),
})
