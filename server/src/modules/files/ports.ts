import type { Readable } from 'node:stream'
import type { Dependencies } from '#kernel/module.ts'

/** What a file is found by. Both are ids, so that no place is a path from outside. */
export interface FilePlace {
  workspaceId: string
  fileId: string
}

/** The first and the last byte of a part. */
export interface ByteRange {
  first: number
  last: number
}

/** Where files are kept: bytes at a place, and nothing else about them. */
export interface FileStore {
  /** Throws an `OperatorError` that says what is wrong with the configuration. */
  check(): Promise<void>
  /** Writes all of the content, or nothing if it ends with an error. What was at the place is replaced. */
  put(place: FilePlace, content: AsyncIterable<Buffer>): Promise<void>
  /** The content, or a part that it has. Undefined if nothing is at the place. */
  get(place: FilePlace, range?: ByteRange): Promise<Readable | undefined>
  /** Removes what is at the place, if anything is. */
  delete(place: FilePlace): Promise<void>
}

export interface FileDependencies extends Dependencies {
  readonly files: FileStore
}
