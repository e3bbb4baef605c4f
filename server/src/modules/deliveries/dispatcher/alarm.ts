/**
 * Schedules one ring after this many milliseconds. Does nothing if a ring is already due by then; otherwise replaces a
 * later one.
 */
export type Alarm = (afterMs: number) => void

export function createAlarm(
  { now, wake }: { now(): number; wake(afterMs: number, call: () => void): void },
  ring: () => void,
): Alarm {
  let due: number | undefined
  return (afterMs) => {
    const at = now() + afterMs
    if (due !== undefined && due <= at) return
    due = at
    wake(afterMs, () => {
      if (due !== at) return
      due = undefined
      ring()
    })
  }
}
