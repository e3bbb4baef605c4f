import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../events/event.ts'
import type { Fields, RowOf } from './fields.ts'
import type { RecordType } from './record.ts'

const maxShown = 200

/** A note of 20,000 characters would be in every event of its change twice. */
function shortened(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= maxShown) return value
  return `${Array.from(value).slice(0, maxShown).join('')}…`
}

/** Which of these fields changed. Compares real values, since masks can coincide, and shows masked ones. */
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
