import type { ProviderAccount, ReadDocument } from '../../modules/documents/ports.ts'
import { type DocumensoPlace, callDocumenso, webhookSecretsOf } from './documenso-api.ts'

export const callbackUrlOf = ({ id }: ProviderAccount, origin: string) =>
  `${origin}/callbacks/documenso/${id}`

/** Sets the webhook URL and secret, which a person would do on Documenso's own pages. */
export const connectSimulated = (place: DocumensoPlace, account: ProviderAccount, origin: string) =>
  callDocumenso(place, account, '/simulated/webhook', {
    url: callbackUrlOf(account, origin),
    secret: webhookSecretsOf(account)[0],
  })

/** Restores a document in the simulated provider. */
export const restoreSimulated = (
  place: DocumensoPlace,
  account: ProviderAccount,
  id: string,
  { title, status, signers, completedAt }: ReadDocument,
) =>
  callDocumenso(place, account, '/simulated/envelope', {
    id,
    title,
    status: { draft: 'DRAFT', signed: 'COMPLETED' }[status as string] ?? 'PENDING',
    completedAt,
    recipients: signers.map(({ providerSignerId, name, email, status: is, signedAt }) => ({
      id: Number(providerSignerId),
      name,
      email,
      readStatus: is === 'viewed' || is === 'signed' ? 'OPENED' : 'NOT_OPENED',
      signingStatus: is === 'signed' ? 'SIGNED' : 'NOT_SIGNED',
      signedAt,
    })),
  })
