import ICAL from 'ical.js'

/** Ignore more alarms than a person would set. */
const maxAlarms = 20

/**
 * Gable's version of an event, with the alarms of the server's version. If the server's version can't be parsed,
 * Gable's version unchanged.
 */
export function retainAlarms(ours: string, remote: string): string {
  const alarms = alarmsIn(remote)
  if (alarms.length === 0) return ours
  const file = ICAL.Component.fromString(ours)
  const event = file.getFirstSubcomponent('vevent')
  for (const alarm of alarms) event?.addSubcomponent(alarm)
  return `${file.toString()}\r\n`
}

function alarmsIn(file: string): ICAL.Component[] {
  try {
    const event = ICAL.Component.fromString(file).getFirstSubcomponent('vevent')
    return (event?.getAllSubcomponents('valarm') ?? []).slice(0, maxAlarms)
  } catch {
    return []
  }
}
