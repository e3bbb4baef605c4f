/** Rings after so many milliseconds, once. If it was to ring before that anyway, it does only that. */
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
