import type { Dependencies } from '#kernel/module.ts'

/** A person's account on a calendar server. */
export interface CalendarAccount {
  username: string
  password: string
  /** Origins that may receive the credentials. */
  origins: readonly string[]
}

/** A calendar that events can be written to. */
export interface RemoteCalendar {
  url: string
  name: string
}

/**
 * A failure: `failed` is permanent, `unauthorized` means rejected credentials, and `later` is temporary. The message is
 * shown to the person.
 */
export interface CalendarFailure {
  kind: 'failed' | 'unauthorized' | 'later'
  message: string
}

/** The calendars at an address. `new_host`: the person has to confirm this host before it receives the credentials. */
export type Discovery =
  | { kind: 'found'; calendars: readonly RemoteCalendar[] }
  | { kind: 'new_host'; host: string }
  | CalendarFailure

/** `gone`: the person has deleted the event in their calendar. */
export type PutOutcome = { kind: 'put'; etag: string | null } | { kind: 'gone' } | CalendarFailure

/** A calendar server. Methods return failures and never throw. */
export interface CalendarServer {
  discover(account: CalendarAccount, url: string): Promise<Discovery>
  /** Checks that the calendar can be read. */
  test(account: CalendarAccount, calendarUrl: string): Promise<{ kind: 'ok' } | CalendarFailure>
  /**
   * Writes a file with one VEVENT under the given ID. `etag` is the version that was written last, or null to create
   * the event. Overwrites the person's own edits except their alarms.
   */
  put(
    account: CalendarAccount,
    calendarUrl: string,
    event: { id: string; file: string; etag: string | null },
  ): Promise<PutOutcome>
  /** Deletes an event. Succeeds if there is no such event. */
  remove(
    account: CalendarAccount,
    calendarUrl: string,
    id: string,
  ): Promise<{ kind: 'removed' } | CalendarFailure>
}

export interface CalendarDependencies extends Dependencies {
  readonly calendars: CalendarServer
}
