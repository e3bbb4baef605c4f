import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'

/** The context of code that sends, receives, and settles messages: it acts for the workspace itself. */
export const systemContext = (runtime: Runtime, workspaceId: string): Ctx =>
  createContext(runtime, {
    workspaceId,
    actor: { type: 'system', id: null, name: 'messages' },
    scopes: new Set(),
  })
