import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { ContactWasErased } from '../contacts/public.ts'
import { InvitationResponded } from '../messages/public.ts'
import { MemberWasDeactivated } from '../workspaces/public.ts'
import * as appointmentEndpoints from './appointments/endpoints.ts'
import * as appointmentEvents from './appointments/events.ts'
import { eraseFromCalendar } from './erase.ts'
import * as calendarEvents from './events.ts'
import { feedRoutes } from './feed/feed-route.ts'
import { endFeed } from './feed/feed.ts'
import { recordResponse } from './invitations/record-response.ts'
import { pushAppointmentJob, resealPasswords, sendInvitationsJob } from './jobs.ts'
import { outgoingInvitations, outgoingPushes } from './outgoing.ts'
import { calendarPageRoutes } from './pages/calendar-page.ts'
import type { CalendarDependencies } from './ports.ts'
import { removeConnection } from './push/connect-calendar.ts'
import { pushes } from './push/queue-pushes.ts'
import * as taskEndpoints from './tasks/endpoints.ts'
import * as taskEvents from './tasks/events.ts'
import * as viewEndpoints from './view/endpoints.ts'

export const calendar: Module<CalendarDependencies> = {
  tag: 'Calendar',
  endpoints: [appointmentEndpoints, taskEndpoints, viewEndpoints].flatMap((each) => Object.values(each)),
  events: [appointmentEvents, taskEvents, calendarEvents].flatMap((each) => Object.values(each)),
  routes: ({ runtime, calendars }) => [...feedRoutes(runtime), ...calendarPageRoutes(runtime, calendars)],
  jobs: ({ calendars }) => [sendInvitationsJob, pushAppointmentJob(calendars)],
  followUps: [pushes],
  periodicJobs: [resealPasswords],
  outgoing: [outgoingInvitations, outgoingPushes],
  subscriptions: [
    on(ContactWasErased, (tx, { id }) => eraseFromCalendar(tx, id)),
    on(InvitationResponded, recordResponse),
    on(MemberWasDeactivated, async (tx, { id }) => {
      await removeConnection(tx, id)
      await endFeed(tx, id)
    }),
  ],
}
