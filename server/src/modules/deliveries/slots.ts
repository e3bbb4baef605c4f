/** A number of things that may be in use at once; whoever finds none free is put down and called when one is. */
export interface Slots<T> {
  readonly limit: number
  used: number
  readonly parked: T[]
}

export const newSlots = <T>(limit: number): Slots<T> => ({ limit, used: 0, parked: [] })

/** Takes one of each, or none: then the taker is parked where there was none. */
export function take<T>(all: readonly Slots<T>[], taker: T): boolean {
  const full = all.find(({ used, limit }) => used >= limit)
  if (full !== undefined) {
    full.parked.push(taker)
    return false
  }
  for (const slots of all) slots.used++
  return true
}

/** Gives back one of each; answers who was waiting for them. */
export function giveBack<T>(all: readonly Slots<T>[]): T[] {
  for (const slots of all) slots.used--
  return callNext(all)
}

/** Of each where one is free, who has waited for it longest. */
export const callNext = <T>(all: readonly Slots<T>[]): T[] =>
  all.flatMap(({ used, limit, parked }) => (used < limit ? parked.splice(0, 1) : []))
