import { type Runtime, createContext } from '#kernel/context.ts'
import { listSimulatedConnections, openAccount } from '../senders/public.ts'
import type { DocumentRow } from './document.ts'
import type { ReadDocument, SignatureProviders } from './ports.ts'
import { listOpenOfConnection } from './queries.ts'

/** Restores documents that await signatures to the simulated provider, which loses its state when the process ends. */
export async function restoreSimulatedDocuments(
  runtime: Runtime,
  signing: SignatureProviders,
): Promise<void> {
  for (const { id, workspace_id, provider } of await listSimulatedConnections(runtime.database.directory)) {
    const restore = signing[provider]?.restore
    if (restore === undefined) continue
    const ctx = createContext(runtime, {
      workspaceId: workspace_id,
      actor: { type: 'system', id: null, name: 'documents' },
      scopes: new Set(),
    })
    try {
      const account = await openAccount(ctx, id)
      for (const document of await listOpenOfConnection(ctx.db, id))
        if (account !== undefined && document.provider_document_id !== null)
          await restore(account, document.provider_document_id, asRead(document))
    } catch (error) {
      runtime.log.warn(
        { err: error, connectionId: id },
        'documents were not given back to the simulated provider',
      )
    }
  }
}

/** A document in the form in which the simulated provider reads it. */
export const asRead = ({ title, status, signers, sent_at, signed_at }: DocumentRow): ReadDocument => ({
  title: title ?? '',
  status,
  signers: signers.map((signer, i) => ({
    providerSignerId: signer.provider_signer_id ?? String(i + 1),
    name: signer.name ?? '',
    email: signer.email ?? '',
    role: signer.role ?? '',
    status: signer.status,
    signedAt: signer.signed_at,
  })),
  sentAt: sent_at,
  completedAt: signed_at,
})
