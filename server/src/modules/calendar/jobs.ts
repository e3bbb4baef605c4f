import { Type } from 'typebox'
import { later } from '#kernel/clock.ts'
import { type Runtime, createContext } from '#kernel/context.ts'
import { job, periodicJob } from '#kernel/jobs/job.ts'
import { sendInvitations } from './invitations/send-invitations.ts'
import type { CalendarServer } from './ports.ts'
import { calendarSealPurpose, openPassword, sealPassword } from './push/account.ts'
import {
  listActive,
  lockPasswordsSealedOtherwise,
  saveCalendarConnection,
} from './push/connection-queries.ts'
import { pushAppointment } from './push/push-appointment.ts'
import { listUnfinished } from './push/push-queries.ts'
import { pushJobName, queuePush } from './push/queue-pushes.ts'

export const sendInvitationsJob = job('send-invitations', {
  payload: Type.Object({ appointment_id: Type.String() }),
  handle: (ctx, { appointment_id }) => sendInvitations(ctx, appointment_id),
})

export const pushAppointmentJob = (calendars: CalendarServer) =>
  job(pushJobName, {
    payload: Type.Object({ appointment_id: Type.String(), member_id: Type.String() }),
    handle: (ctx, { appointment_id, member_id }) =>
      pushAppointment(ctx, calendars, appointment_id, member_id),
  })

/** A push that has been pending for this long has lost its job. */
const lostMs = 10 * 60_000

/** Requeues pushes whose job was lost, and reseals passwords with the newest application secret. */
export const maintainCalendars = periodicJob('maintain-calendars', {
  cron: '*/10 * * * *',
  async handle(runtime) {
    await resealPasswords(runtime)
    for (let some = await listActive(runtime.database.directory, undefined); some.length > 0;) {
      for (const { workspace_id, member_id } of some) await queueLost(runtime, workspace_id, member_id)
      some = await listActive(runtime.database.directory, some.at(-1))
    }
  },
})

async function queueLost(runtime: Runtime, workspaceId: string, memberId: string): Promise<void> {
  const actor = { type: 'system', id: null, name: 'maintain-calendars' }
  const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
  const ids = await listUnfinished(ctx.db, memberId, later(ctx.clock.now(), -lostMs), ['pending'])
  if (ids.length === 0) return
  await ctx.transaction(async (tx) => {
    for (const id of ids) queuePush(tx, id, memberId)
  })
}

/** A password that no application secret can open is logged and does not block the others. */
const resealPasswords = ({ database, keys, log }: Runtime): Promise<void> =>
  database.directory.transaction(async (tx) => {
    for (const row of await lockPasswordsSealedOtherwise(tx, keys.sealMark(calendarSealPurpose))) {
      try {
        saveCalendarConnection(tx, row, { password: sealPassword(keys, row, openPassword(keys, row)) })
      } catch (error) {
        log.error({ err: error, memberId: row.member_id }, 'the password of a calendar cannot be decrypted')
      }
    }
  })
