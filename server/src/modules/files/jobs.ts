import { Type } from 'typebox'
import { type Tx, createContext } from '#kernel/context.ts'
import { job, periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import type { FileStore } from './ports.ts'
import { listErasedFiles } from './queries.ts'
import { removeFile } from './remove-file.ts'

const payload = Type.Object({ file_id: Type.String() })
const name = 'remove-file'

export const removeFileJob = (store: FileStore) =>
  job(name, { payload, handle: (ctx, { file_id }) => removeFile(ctx, store, file_id) })

/** The job by name only, for code that queues it: only the worker has the store. */
const named = job(name, { payload, handle: async () => undefined })

export const queueRemoval = (tx: Tx, fileId: string): void => tx.enqueue(named, { file_id: fileId })

/**
 * Deletes contents that no job deleted, so that an erasure succeeds even if the store was down for days. A file that
 * fails does not block the others.
 */
export const removeErasedFiles = (store: FileStore) =>
  periodicJob('remove-erased-files', {
    cron: '17 * * * *',
    async handle(runtime) {
      const actor = { type: 'system', id: null, name: 'remove-erased-files' }
      for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
        const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
        for (const id of await listErasedFiles(ctx.db)) {
          try {
            await removeFile(ctx, store, id)
          } catch (error) {
            runtime.log.warn({ err: error, workspaceId, fileId: id }, 'an erased file was not removed')
          }
        }
      }
    },
  })
