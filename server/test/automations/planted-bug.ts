import type { Kind } from './profiles.ts'

/** A plausible bug: the file below `modules`, the correct code, and the wrong code. */
export interface PlantedBug {
  name: string
  file: string
  find: string
  replace: string
  /** A second place where the code differs. That difference alone is not a bug. */
  also?: { file: string; find: string; replace: string }
  /** The kind of lives that exposes it soon. */
  shows: Kind
  /** Whether the bug is found so quickly that every test run looks for it. */
  isSample?: boolean
}

export type InFile = Omit<PlantedBug, 'file'>

/** Bugs in one file. */
export const within = (file: string, bugs: readonly InFile[]): PlantedBug[] =>
  bugs.map((bug) => ({ ...bug, file }))
