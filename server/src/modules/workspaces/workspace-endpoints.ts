import { orNotFound } from '#kernel/errors.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { findWorkspace } from './queries.ts'
import { updateWorkspace } from './update-workspace.ts'
import { workspaceRecord } from './workspace.ts'

const tag = 'Workspace'

export const getWorkspace = endpoint('GET /workspace', {
  scope: 'any',
  tag,
  summary: 'Retrieve the workspace',
  description: 'Returns the workspace of the credential.',
  responses: { 200: workspaceRecord.Record },
  fields: true,
  handle: async ({ directory, workspaceId }) => ok(orNotFound(await findWorkspace(directory, workspaceId))),
})

export const patchWorkspace = endpoint('PATCH /workspace', {
  scope: 'settings:manage',
  tag,
  summary: 'Update the workspace',
  description: 'Existing records keep their currency and their times.',
  body: workspaceRecord.Patch,
  responses: { 200: workspaceRecord.Record },
  fields: true,
  handle: async (ctx, { body }) => ok(await updateWorkspace(ctx, body)),
})
