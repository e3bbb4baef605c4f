import { countJobs } from '#kernel/jobs/drop-jobs.ts'
import type { Outgoing } from '#kernel/outgoing.ts'
import { sendInvitationsJob } from './jobs.ts'
import { countPushesBefore, dropPushes } from './push/push-queries.ts'
import { pushes } from './push/queue-pushes.ts'

export const outgoingInvitations: Outgoing = {
  name: 'invitations',
  what: 'Invitations to appointments',
  tables: [],
  workers: [sendInvitationsJob.name],
  released: 'They leave.',
  dropped: 'They are not sent. The next change of the appointment sends one.',
  jobs: [sendInvitationsJob.name],
  scope: 'directory',
  count: ({ database }, before) => countJobs(database.directory, [sendInvitationsJob.name], before),
}

export const outgoingPushes: Outgoing = {
  name: 'calendar_pushes',
  what: "Appointments on their way to members' own calendars",
  tables: ['calendar_pushes'],
  workers: [pushes.name],
  released: 'They are written.',
  dropped: 'They fail, and the appointment says why. Its next change is written.',
  jobs: [pushes.name],
  scope: 'workspace',
  count: ({ db }, before) => countPushesBefore(db, before),
  drop: (ctx, before) => ctx.transaction(async (tx) => dropPushes(tx, before)),
}
