import { createHash } from 'node:crypto'
import type { Ctx, Tx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import type { Scope } from '#kernel/scopes.ts'
import type { FileStore } from './ports.ts'
import { type FileRow, findFile, insertFile, lockFile, saveFile } from './queries.ts'

export interface NewFile {
  /** The file name for downloads. */
  name: string
  media_type: string
  /** The scope required to read it. */
  scope: Scope
  /** Its record does not exist yet. The file is erased then, unless the record claims it. */
  expiresAt?: Date
}

/** Registers a file whose content follows, and returns its ID. */
export function reserveFile(tx: Tx, { name, media_type, scope, expiresAt }: NewFile): string {
  const at = tx.clock.now()
  const file: FileRow = {
    id: newId(at),
    name,
    media_type,
    scope,
    size: null,
    sha256: null,
    stored_at: null,
    erased_at: null,
    expires_at: expiresAt?.toISOString() ?? null,
    created_at: at.toISOString(),
  }
  insertFile(tx, file)
  return file.id
}

/** The content exceeds the size limit. */
export class FileTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The file has more than ${maxBytes} bytes.`)
    this.name = 'FileTooLarge'
  }
}

/**
 * Stores the content of a file with its size and hash. Calls `content` only if the content is needed. Idempotent, and
 * safe to run concurrently with an erasure: returns false if the file has been erased, and then leaves no content
 * behind. Throws `FileTooLarge`. `found`: what reading the content shows of the file, to be saved with it.
 */
export async function storeFile(
  ctx: Ctx,
  store: FileStore,
  id: string,
  content: () => Promise<AsyncIterable<Buffer>>,
  maxBytes: number,
  found: Partial<Pick<FileRow, 'media_type' | 'name'>> = {},
): Promise<boolean> {
  const place = { workspaceId: ctx.workspaceId, fileId: id }
  const file = await findFile(ctx.db, id)
  if (file !== undefined && file.stored_at !== null) return file.erased_at === null
  const isWanted = file?.erased_at === null
  const measure = { size: 0, hash: createHash('sha256') }
  if (isWanted) await store.put(place, measured(await content(), measure, maxBytes))
  const isKept =
    isWanted &&
    (await ctx.transaction(async (tx) => {
      const locked = await lockFile(tx, id)
      if (locked?.erased_at !== null) return false
      const stored_at = tx.clock.now().toISOString()
      saveFile(tx, id, { ...found, size: measure.size, sha256: measure.hash.digest('hex'), stored_at })
      return true
    }))
  // The file was erased in the meantime, and its removal may have run before this content existed.
  if (!isKept) await store.delete(place)
  return isKept
}

async function* measured(
  content: AsyncIterable<Buffer>,
  measure: { size: number; hash: ReturnType<typeof createHash> },
  maxBytes: number,
) {
  for await (const chunk of content) {
    measure.size += chunk.length
    if (measure.size > maxBytes) throw new FileTooLarge(maxBytes)
    measure.hash.update(chunk)
    yield chunk
  }
}
