import { type Runtime, createContext } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { isId } from '#kernel/ids.ts'
import { type ProviderAccount, callbackRoutes, signatureProviders } from '../senders/public.ts'
import { queueDocument } from './jobs.ts'
import type { CallbackSubject, DocumentDependencies } from './ports.ts'
import { findAttached, findDocument } from './queries.ts'

/** Large, because DocuSign can include documents in its callbacks. Gable ignores them. */
const maxBodyBytes = 16 * 1024 * 1024

const NotFromProvider = defineError('invalid_signature', 401, () => ({
  message: 'The request is not from the provider of this connection.',
}))

/**
 * `/callbacks/documenso/{connection}` and `/callbacks/docusign/{connection}`. A callback only signals that a document
 * changed; its new state is read from the provider. A callback about an unknown document is not an error.
 */
export const documentCallbackRoutes = (dependencies: DocumentDependencies): readonly PlainRoute[] =>
  callbackRoutes(dependencies, {
    paths: signatureProviders.map((provider) => `/callbacks/${provider}/:connection`),
    maxBodyBytes,
    rejection: NotFromProvider,
    async take(account, callback) {
      const subject = await dependencies.signing[account.provider]?.readCallback(account, callback)
      if (subject === undefined) return undefined
      await look(dependencies.runtime, account, subject)
      return { status: 200, headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' }, body: '' }
    },
  })

async function look(
  runtime: Runtime,
  account: ProviderAccount,
  { providerDocumentId, documentId }: CallbackSubject,
): Promise<void> {
  const ctx = createContext(runtime, {
    workspaceId: account.workspaceId,
    actor: { type: 'system', id: null, name: 'documents' },
    scopes: new Set(),
  })
  const attached = providerDocumentId && (await findAttached(ctx.db, account.id, providerDocumentId))
  const own = documentId !== null && isId(documentId) ? await findDocument(ctx.db, documentId) : undefined
  const id = attached || (own?.connection_id === account.id ? own.id : undefined)
  if (id !== undefined) await ctx.transaction(async (tx) => queueDocument(tx, id))
}
