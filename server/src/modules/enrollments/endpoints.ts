import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { accepted, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { reference } from '#kernel/records/fields.ts'
import { findAutomationOfOwn } from '../automations/public.ts'
import { findContact } from '../contacts/public.ts'
import { changeEnrollment } from './change-enrollment.ts'
import { enrollContact } from './enroll.ts'
import {
  CreatedEnrollment,
  EnrollmentContext,
  EnrollmentDetails,
  enrollmentRecord,
  presentEnrollment,
} from './enrollment.ts'
import { explainEnrollment } from './explain-enrollment.ts'
import {
  enrollmentFilters,
  enrollmentInFilters,
  findEnrollment,
  listEnrollmentsIn,
  listEnrollmentsOf,
} from './queries.ts'

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

export const getAutomationEnrollments = listEndpoint('GET /automations/{id}/enrollments', {
  scope: 'automations:read',
  summary: 'List the enrollments in an automation',
  description: 'An enrollment is one contact on its way through the automation.',
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
  description: 'The automations that the contact is in or has been in, with the status of each.',
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
