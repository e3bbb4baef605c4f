import type { Dependencies } from '#kernel/module.ts'

/**
 * A copy, outside the database, of what a restore of an older database must not forget. Lines of text, written by one
 * process and read together with those of others.
 */
export interface StopJournal {
  /** The lines of this process, oldest first. */
  own(): AsyncIterable<string>
  /** The lines of all processes, and of the installation whose backup was restored here. */
  all(): AsyncIterable<string>
  /** Resolves when the lines are on disk. */
  append(lines: readonly string[]): Promise<void>
  /** Everything until then is in the journal. */
  saveCovered(until: Date): Promise<void>
  /** The latest time until which a process has covered everything. */
  findCovered(): Promise<Date | undefined>
}

export interface ComplianceDependencies extends Dependencies {
  readonly stops: StopJournal
}
