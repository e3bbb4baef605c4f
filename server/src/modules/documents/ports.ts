import type { Dependencies } from '#kernel/module.ts'
import type { FileDependencies } from '../files/public.ts'
import type { Callback, Provider, ProviderAccount } from '../senders/public.ts'
import type { DocumentStatus, SignerStatus } from './statuses.ts'

export type { Callback, ProviderAccount } from '../senders/public.ts'
export type { DocumentStatus, SignerStatus } from './statuses.ts'

/** Why a provider did not do what it was asked, in the words of no provider. */
export interface Fault {
  fault:
    | 'credentials_rejected'
    | 'document_not_found'
    | 'provider_unavailable'
    | 'rejected'
    | 'signers_mismatch'
    | 'template_not_found'
  /** For people, without what the document says. */
  message: string
}

/** Someone who signs, as the provider has them. */
export interface ReadSigner {
  providerSignerId: string
  name: string
  email: string
  /** In the provider's word. */
  role: string
  status: SignerStatus
  signedAt: string | null
}

/** A document as the provider has it now. */
export interface ReadDocument {
  title: string
  status: DocumentStatus
  /** In the provider's order; without those who only get a copy. */
  signers: readonly ReadSigner[]
  sentAt: string | null
  completedAt: string | null
}

/** A template of the account. */
export interface SignatureTemplate {
  id: string
  title: string
  /** What its recipients are called, in their order. */
  recipients: readonly string[]
}

/** A document to be made from a template. */
export interface NewDocument {
  /** Ours; the provider keeps it. */
  documentId: string
  templateId: string
  /** Null for that of the template. */
  title: string | null
  /** `role`: what the template calls the recipient; null for the next one that no role names. */
  signers: readonly { name: string; email: string; role: string | null }[]
}

/** The document that a callback is about, by the provider's id or by ours. */
export interface CallbackSubject {
  providerDocumentId: string | null
  documentId: string | null
}

/** A provider with whom people sign documents. The adapter speaks its protocol, and never throws for what the provider does. */
export interface SignatureProvider {
  /** Makes a draft of a template, and sends nothing. Undefined where documents are attached alone. */
  prepare?(account: ProviderAccount, draft: NewDocument): Promise<{ providerDocumentId: string } | Fault>
  /** Sends a draft to its signers. No effect on one that was sent. */
  send?(account: ProviderAccount, providerDocumentId: string): Promise<Fault | undefined>
  /**
   * Removes what the provider has of a document, as far as it lets others; one that waits for signatures ends. No effect on
   * one that it has removed.
   */
  discard(account: ProviderAccount, providerDocumentId: string): Promise<Fault | undefined>
  read(account: ProviderAccount, providerDocumentId: string): Promise<ReadDocument | Fault>
  /** Ends a document that waits for signatures. */
  void(account: ProviderAccount, providerDocumentId: string, reason: string): Promise<Fault | undefined>
  /** The signed PDF. */
  openFile(account: ProviderAccount, providerDocumentId: string): Promise<AsyncIterable<Buffer> | Fault>
  listTemplates?(account: ProviderAccount): Promise<readonly SignatureTemplate[] | Fault>
  /** What a callback is about, undefined if it is not from the provider. All that it says beside that is read back. */
  readCallback(account: ProviderAccount, callback: Callback): CallbackSubject | undefined
  /** Gives the simulated provider back a document that it had before it ended. */
  restore?(account: ProviderAccount, providerDocumentId: string, document: ReadDocument): Promise<void>
}

export type SignatureProviders = Readonly<Partial<Record<Provider, SignatureProvider>>>

export interface DocumentDependencies extends Dependencies, FileDependencies {
  readonly signing: SignatureProviders
}
