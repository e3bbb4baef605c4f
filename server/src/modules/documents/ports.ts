import type { Dependencies } from '#kernel/module.ts'
import type { FileDependencies } from '../files/public.ts'
import type { InboundUrl } from '../messages/public.ts'
import type { Callback, Provider, ProviderAccount } from '../senders/public.ts'
import type { DocumentStatus, SignerStatus } from './statuses.ts'

export type { Callback, ProviderAccount } from '../senders/public.ts'
export type { DocumentStatus, SignerStatus } from './statuses.ts'

/** Why a request to a provider failed, in provider-independent terms. */
export interface Fault {
  fault:
    | 'credentials_rejected'
    | 'document_not_found'
    | 'provider_unavailable'
    | 'rejected'
    | 'signers_mismatch'
    | 'template_not_found'
  /** For display. Contains nothing from the document. */
  message: string
}

/** A signer in the provider's current state. */
export interface ReadSigner {
  providerSignerId: string
  name: string
  email: string
  /** The provider's name for the role. */
  role: string
  status: SignerStatus
  signedAt: string | null
}

/** The current state of a document at the provider. */
export interface ReadDocument {
  title: string
  status: DocumentStatus
  /** In the provider's order, without recipients who only get a copy. */
  signers: readonly ReadSigner[]
  sentAt: string | null
  completedAt: string | null
}

export interface SignatureTemplate {
  id: string
  title: string
  /** The names of its recipients, in order. */
  recipients: readonly string[]
}

/** A document to create from a template. */
export interface NewDocument {
  /** Gable's ID, which the provider stores. */
  documentId: string
  templateId: string
  /** Null to use the template's title. */
  title: string | null
  /**
   * `role` is the recipient's name in the template; null for the next recipient that no other signer's role matches.
   */
  signers: readonly { name: string; email: string; role: string | null }[]
}

/** The document that a callback is about, by the provider's ID or by Gable's. */
export interface CallbackSubject {
  providerDocumentId: string | null
  documentId: string | null
}

/**
 * An e-signature provider. The adapter speaks the provider's protocol, and returns provider errors as faults instead of
 * throwing.
 */
export interface SignatureProvider {
  /** Creates a draft from a template without sending it. Missing for providers whose documents can only be attached. */
  prepare?(account: ProviderAccount, draft: NewDocument): Promise<{ providerDocumentId: string } | Fault>
  /** Sends a draft to its signers. Does nothing if it was already sent. */
  send?(account: ProviderAccount, providerDocumentId: string): Promise<Fault | undefined>
  /**
   * Deletes a document at the provider, as far as the provider allows it. A document that awaits signatures is ended.
   * Does nothing if the document was already deleted.
   */
  discard(account: ProviderAccount, providerDocumentId: string): Promise<Fault | undefined>
  read(account: ProviderAccount, providerDocumentId: string): Promise<ReadDocument | Fault>
  /** Voids a document that awaits signatures. */
  void(account: ProviderAccount, providerDocumentId: string, reason: string): Promise<Fault | undefined>
  /** The signed PDF. */
  openFile(account: ProviderAccount, providerDocumentId: string): Promise<AsyncIterable<Buffer> | Fault>
  listTemplates?(account: ProviderAccount): Promise<readonly SignatureTemplate[] | Fault>
  /**
   * Identifies the document of a callback; undefined if the callback is not authentic. Everything else in the callback
   * is ignored and read from the provider instead.
   */
  readCallback(
    account: ProviderAccount,
    callback: Callback,
  ): CallbackSubject | undefined | Promise<CallbackSubject>
  /** Where the provider reports changes of documents. */
  readCallbackUrl?(account: ProviderAccount): Promise<InboundUrl | Fault>
  /** Restores a document to the simulated provider after a restart. */
  restore?(account: ProviderAccount, providerDocumentId: string, document: ReadDocument): Promise<void>
}

export type SignatureProviders = Readonly<Partial<Record<Provider, SignatureProvider>>>

export interface DocumentDependencies extends Dependencies, FileDependencies {
  readonly signing: SignatureProviders
}
