import type { UnsupportedCategory } from '../finding.ts'

/** A value in a text, in a normalized form; several values if it can be read in several ways. */
export interface Figure {
  category: UnsupportedCategory
  values: readonly string[]
  start: number
  end: number
}
