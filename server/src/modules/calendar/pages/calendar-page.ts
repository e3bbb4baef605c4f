import type { Ctx, Runtime } from '#kernel/context.ts'
import { AppError, NotFound } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { type MemberRequest, accountHeader, memberRoute } from '../../account/public.ts'
import { type FieldErrors, type FormFields, fieldErrorsOf, html, named, page } from '../../pages/public.ts'
import { findFeed } from '../feed/feed-queries.ts'
import { createFeed, removeFeed } from '../feed/feed.ts'
import type { CalendarServer } from '../ports.ts'
import {
  CalendarUnreachable,
  chooseCalendar,
  confirmHost,
  connectCalendar,
  disconnectCalendar,
  testCalendar,
} from '../push/connect-calendar.ts'
import { findCalendarConnection } from '../push/connection-queries.ts'
import { type PageState, connectionPart, feedPart } from './calendar-parts.ts'

const path = '/settings/calendar'

/** The settings page on which members connect their calendar and create a feed URL for it. */
export const calendarPageRoutes = (runtime: Runtime, calendars: CalendarServer): PlainRoute[] => [
  memberRoute(
    runtime,
    { path, title: 'Calendar' },
    {
      GET: (request) => calendarPage(request),
      async POST(request, form) {
        // Unrestricted, because the calendar also contains appointments that the member booked for another host.
        const shown = await act(request.ctx.unrestricted(), calendars, request.membership.member.id, form)
        return shown && calendarPage(request, shown)
      },
    },
  ),
]

/** Performs the form's action. Returns what the page shows in addition to its current state, if anything. */
async function act(
  ctx: Ctx,
  calendars: CalendarServer,
  memberId: string,
  form: FormFields,
): Promise<Partial<PageState> | undefined> {
  const entered = { address: form.text('address').trim(), username: form.text('username').trim() }
  try {
    switch (form.text('do')) {
      case 'connect':
        await connectCalendar(ctx, calendars, memberId, { ...entered, password: form.text('password') })
        return undefined
      case 'confirm':
        await confirmHost(ctx, calendars, memberId, form.text('host'))
        return undefined
      case 'choose':
        await chooseCalendar(ctx, calendars, memberId, form.text('calendar'))
        return undefined
      case 'test': {
        const { error } = await testCalendar(ctx, calendars, memberId)
        return error === null ? { note: 'Gable can connect to the calendar.' } : { message: error }
      }
      case 'disconnect':
        await disconnectCalendar(ctx, memberId)
        return undefined
      case 'create-address':
        return { feedUrl: (await createFeed(ctx, memberId)).url }
      case 'remove-address':
        await removeFeed(ctx, memberId)
        return undefined
      default:
        throw NotFound('The form requests an unknown action.')
    }
  } catch (error) {
    if (error instanceof AppError && error.code === CalendarUnreachable.code)
      return { entered, message: error.message }
    if (error instanceof AppError && error.status === 400) return { entered, errors: fieldErrorsOf(error) }
    throw error
  }
}

async function calendarPage(
  { user, membership, ctx: { directory } }: MemberRequest,
  more: Partial<PageState> = {},
): Promise<PlainResponse> {
  const { workspace, member } = membership
  const [connection, feed] = await Promise.all([
    findCalendarConnection(directory, workspace.id, member.id),
    findFeed(directory, workspace.id, member.id),
  ])
  const errors: FieldErrors = more.errors ?? {}
  const shown: PageState = { fields: { csrf: user.csrf, workspace: workspace.id }, path, errors, ...more }
  return page({
    title: 'Calendar',
    header: accountHeader(user, { membership }),
    status: more.message === undefined && Object.keys(errors).length === 0 ? 200 : 400,
    main: html`<p>Your calendar in ${named(workspace.name)}.</p>
${connectionPart(connection, shown)}
${feedPart(feed, shown)}`,
  })
}
