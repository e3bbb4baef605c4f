import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { appointmentFilters, findAppointment, listAppointments } from '../appointment-queries.ts'
import { bookAppointment } from './book-appointment.ts'
import { presentAppointment, presentAppointments } from './present.ts'
import { Appointment, AppointmentDraft, AppointmentPatch } from './schemas.ts'
import { updateAppointment } from './update-appointment.ts'

const rejected =
  '`contact_erased`: a contact that the body names has been erased; `member_inactive`: the host is inactive; `host_busy`: with `if_free`, the host has another appointment at that time'

export const getAppointments = listEndpoint('GET /appointments', {
  scope: 'appointments:read',
  summary: 'List appointments',
  description: 'Newest first. To list the appointments of a week by time, use `GET /calendar`.',
  item: Appointment,
  filters: appointmentFilters,
  rows: (ctx, { query, page }) => listAppointments(ctx.searches(), query, page),
  complete: (rows, { db }) => presentAppointments(db, rows),
})

export const getAppointmentCount = countEndpoint(getAppointments)

export const postAppointment = endpoint('POST /appointments', {
  scope: 'appointments:write',
  summary: 'Book an appointment',
  description:
    'Unless `if_free` is true, Gable books an appointment even if it overlaps others, and names them in `conflicts`.',
  body: AppointmentDraft,
  responses: { 201: Appointment },
  fields: true,
  errors: { 409: `${rejected}.` },
  handle: async (ctx, { body }) => created(await bookAppointment(ctx, body)),
})

export const getAppointment = endpoint('GET /appointments/{id}', {
  scope: 'appointments:read',
  summary: 'Retrieve an appointment',
  description:
    '`calendar_sync` and `responses` show whether it is in the calendars of its host and what its attendees have responded.',
  responses: { 200: Appointment },
  fields: true,
  handle: async (ctx, { params }) =>
    ok(await presentAppointment(ctx.db, orNotFound(await findAppointment(ctx.db, params.id)))),
})

export const patchAppointment = endpoint('PATCH /appointments/{id}', {
  scope: 'appointments:write',
  summary: 'Move an appointment, record its outcome, or change its details',
  description:
    '`starts_at` and `ends_at` together move the appointment. `outcome` records the outcome, and you can correct it later. If you send both, Gable moves the appointment first.',
  body: AppointmentPatch,
  responses: { 200: Appointment },
  fields: true,
  errors: { 409: `\`appointment_closed\`: the appointment has an outcome and cannot be moved; ${rejected}.` },
  handle: async (ctx, { params, body }) => ok(await updateAppointment(ctx, params.id, body)),
})
