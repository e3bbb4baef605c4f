import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../events/event.ts'
import type { Fields, RowOf } from './fields.ts'
import type { RecordType } from './record.ts'

const maxShown = 200

/** Truncates long texts: otherwise, every change of a 20,000-character note would put the note into the event twice. */
function shortened(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= maxShown) return value
  return `${Array.from(value).slice(0, maxShown).join('')}…`
}

/**
 * The changes of these fields. Compares the real values, since different values can have the same mask, but returns
 * masked ones.
 */
export function changesOf<F extends Fields>(
  record: Pick<RecordType<F>, 'mask'>,
  names: readonly (keyof RowOf<F> & string)[],
  before: RowOf<F>,
  after: RowOf<F>,
): Change[] {
  const [shownBefore, shownAfter] = [record.mask(before), record.mask(after)]
  return names
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => ({ field, from: shortened(shownBefore[field]), to: shortened(shownAfter[field]) }))
}
