import type { Ctx } from '#kernel/context.ts'
import type { FileStore } from './ports.ts'
import { deleteFile, findFile } from './queries.ts'

/** Deletes the content of an erased file, then its row. Idempotent. */
export async function removeFile(ctx: Ctx, store: FileStore, id: string): Promise<void> {
  const file = await findFile(ctx.db, id)
  if (file === undefined || file.erased_at === null) return
  await store.delete({ workspaceId: ctx.workspaceId, fileId: id })
  await ctx.transaction(async (tx) => deleteFile(tx, id))
}
