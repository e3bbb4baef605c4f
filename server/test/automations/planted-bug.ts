import type { Kind } from './profiles.ts'

/** A plausible bug, of the module or of one beside it: the file, the code, and the wrong code. */
export interface PlantedBug {
  name: string
  file: string
  find: string
  replace: string
  /** Another place in which the code differs, which is no bug by itself. */
  also?: { file: string; find: string; replace: string }
  /** The lives that show it soon. */
  shows: Kind
  /** Found so soon that each run of the tests looks for it. */
  isSample?: boolean
}

export type InFile = Omit<PlantedBug, 'file'>

/** Bugs of one file. */
export const within = (file: string, bugs: readonly InFile[]): PlantedBug[] =>
  bugs.map((bug) => ({ ...bug, file }))
