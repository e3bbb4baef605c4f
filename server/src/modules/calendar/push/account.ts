import type { KeyRing } from '#kernel/secrets.ts'
import type { CalendarAccount } from '../ports.ts'
import type { CalendarConnection } from './connection-queries.ts'

export const calendarSealPurpose = 'calendars'

type Owner = Pick<CalendarConnection, 'workspace_id' | 'member_id'>

const placeOf = ({ workspace_id, member_id }: Owner) => `${workspace_id} ${member_id}`

export const sealPassword = (keys: KeyRing, owner: Owner, password: string): Buffer =>
  keys.seal(calendarSealPurpose, password, placeOf(owner))

export const openPassword = (keys: KeyRing, { password, ...owner }: Owner & { password: Buffer }): string =>
  keys.open(calendarSealPurpose, password, placeOf(owner))

/** The account of a connection, with its password decrypted. */
export const accountOf = (keys: KeyRing, connection: CalendarConnection): CalendarAccount => ({
  username: connection.username,
  password: openPassword(keys, connection),
  origins: originsOf(connection),
})

/** The origins of the hosts that the person has confirmed. They have the scheme of the address that was entered. */
export const originsOf = ({ address, hosts }: Pick<CalendarConnection, 'address' | 'hosts'>): string[] =>
  hosts.map((host) => `${new URL(address).protocol}//${host}`)
