import { Type } from 'typebox'
import type { Runtime } from '#kernel/context.ts'
import { job, periodicJob } from '#kernel/jobs/job.ts'
import { sendInvitations } from './invitations/send-invitations.ts'
import type { CalendarServer } from './ports.ts'
import { calendarSealPurpose, openPassword, sealPassword } from './push/account.ts'
import { lockPasswordsSealedOtherwise, saveCalendarConnection } from './push/connection-queries.ts'
import { pushAppointment } from './push/push-appointment.ts'
import { pushes } from './push/queue-pushes.ts'

export const sendInvitationsJob = job('send-invitations', {
  payload: Type.Object({ appointment_id: Type.String() }),
  handle: (ctx, { appointment_id }) => sendInvitations(ctx, appointment_id),
})

export const pushAppointmentJob = (calendars: CalendarServer) =>
  pushes.job((ctx, id) => {
    const [appointmentId = '', memberId = ''] = id.split(' ')
    return pushAppointment(ctx, calendars, appointmentId, memberId)
  })

/**
 * Reseals passwords with the newest application secret. A password that no application secret can open is logged and does not block the
 * others.
 */
export const resealPasswords = periodicJob('reseal-calendar-passwords', {
  cron: '*/10 * * * *',
  handle: ({ database, keys, log }: Runtime): Promise<void> =>
    database.directory.transaction(async (tx) => {
      for (const row of await lockPasswordsSealedOtherwise(tx, keys.sealMark(calendarSealPurpose))) {
        try {
          saveCalendarConnection(tx, row, { password: sealPassword(keys, row, openPassword(keys, row)) })
        } catch (error) {
          log.error({ err: error, memberId: row.member_id }, 'the password of a calendar cannot be decrypted')
        }
      }
    }),
})
