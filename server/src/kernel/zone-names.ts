import { readFileSync } from 'node:fs'

/** The IANA names that the runtime lists. */
export const timezones = Intl.supportedValuesOf('timeZone')
const spellings = new Map(timezones.map((name) => [name.toLowerCase(), name]))

/** What Windows (as Unicode's CLDR maps it) and web frameworks call the zones, in lower case. */
const zoneNames = JSON.parse(readFileSync(new URL('zone-names.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, string>
>

/** The IANA name of a time zone that a program spells otherwise: in another case, with blanks, or as Windows calls it. */
export function toTimezone(text: string): string {
  const bare = text.replace(/^\((?:UTC|GMT)[^)]{0,10}\) ?/i, '')
  const known = bare.toLowerCase()
  if (Object.hasOwn(zoneNames, known)) return zoneNames[known] ?? text
  const name = bare.includes('/') ? bare.replaceAll(' ', '_') : bare
  const spelled = spellings.get(name.toLowerCase())
  if (spelled !== undefined || !isTimezone(name)) return spelled ?? text
  // An alias, such as US/Central, keeps its name if it is spelled like one.
  return /^[A-Z]/.test(name) ? name : Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
}

/** Names accepted so far, in lower case. Cannot outgrow the names that the runtime knows, aliases included. */
const accepted = new Set(timezones.map((name) => name.toLowerCase()))

/** Whether this is an IANA name. An offset such as `-05:00` is not: it has no daylight saving time. */
export function isTimezone(name: string): boolean {
  // Accept only ASCII: a non-ASCII letter can have a lower case that is a letter of a name.
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false
  if (accepted.has(name.toLowerCase())) return true
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
  accepted.add(name.toLowerCase())
  return true
}
