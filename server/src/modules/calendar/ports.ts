import type { Dependencies } from '#kernel/module.ts'

/** A person's account with a calendar server. */
export interface CalendarAccount {
  username: string
  password: string
  /** Hosts, with their ports, that may get name and password. */
  hosts: readonly string[]
}

/** A calendar that events can be put into. */
export interface RemoteCalendar {
  url: string
  name: string
}

/** Why something did not succeed: for good, because of name or password, or for now. The message is for the person. */
export interface CalendarFailure {
  kind: 'failed' | 'unauthorized' | 'later'
  message: string
}

/** What was found at an address. Before a host gets name and password that the person has not seen, it is `new_host`. */
export type Discovery =
  | { kind: 'found'; calendars: readonly RemoteCalendar[] }
  | { kind: 'new_host'; host: string }
  | CalendarFailure

/** `gone`: the person has deleted the event there. */
export type PutOutcome = { kind: 'put'; etag: string | null } | { kind: 'gone' } | CalendarFailure

/** A server with people's calendars. Nothing throws. */
export interface CalendarServer {
  discover(account: CalendarAccount, url: string): Promise<Discovery>
  /** Whether the calendar can be read. */
  test(account: CalendarAccount, calendarUrl: string): Promise<{ kind: 'ok' } | CalendarFailure>
  /**
   * Writes an event of one VEVENT, by its id. `etag`: the version that was written last; null to create it. What the person
   * has changed there is overwritten, but for their alarms.
   */
  put(
    account: CalendarAccount,
    calendarUrl: string,
    event: { id: string; file: string; etag: string | null },
  ): Promise<PutOutcome>
  /** Removes an event; one that is not there is removed. */
  remove(
    account: CalendarAccount,
    calendarUrl: string,
    id: string,
  ): Promise<{ kind: 'removed' } | CalendarFailure>
}

export interface CalendarDependencies extends Dependencies {
  readonly calendars: CalendarServer
}
