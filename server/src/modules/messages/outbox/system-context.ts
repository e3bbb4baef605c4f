import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'

/** What sends and settles messages acts for the workspace itself. */
export const systemContext = (runtime: Runtime, workspaceId: string): Ctx =>
  createContext(runtime, {
    workspaceId,
    actor: { type: 'system', id: null, name: 'messages' },
    scopes: new Set(),
  })
