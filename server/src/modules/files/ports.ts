import type { Readable } from 'node:stream'
import type { Dependencies } from '#kernel/module.ts'

/** The key of a file. Both parts are generated IDs, so a key never contains an outside path. */
export interface FilePlace {
  workspaceId: string
  fileId: string
}

/** First and last byte, both inclusive. */
export interface ByteRange {
  first: number
  last: number
}

/** A blob store: bytes by key, and no metadata. */
export interface FileStore {
  /** Throws an `OperatorError` that describes a configuration problem. */
  check(): Promise<void>
  /** Writes all of the content, or nothing if reading it fails. Replaces existing content. */
  put(place: FilePlace, content: AsyncIterable<Buffer>): Promise<void>
  /** The content, or a range within it. Undefined if there is no content. */
  get(place: FilePlace, range?: ByteRange): Promise<Readable | undefined>
  /** Deletes the content, if there is any. */
  delete(place: FilePlace): Promise<void>
}

export interface FileDependencies extends Dependencies {
  readonly files: FileStore
}
