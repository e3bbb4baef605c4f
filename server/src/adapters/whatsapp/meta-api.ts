import type { Egress, Reply } from '#kernel/egress/egress.ts'
import type { ProviderAccount } from '../../modules/messages/ports.ts'
import { accessTokenOf } from './account.ts'

/** Where the API of an account is. */
export interface MetaPlace {
  egress: Egress
  /** The origin of the simulated carrier, for the accounts that it has. */
  simulatedUrl: () => string
}

/** Meta keeps a version for at least two years. The setting `api_version` of a connection names another. */
const defaultVersion = 'v24.0'

const versionOf = ({ settings }: ProviderAccount): string => {
  const { api_version: version } = settings
  return typeof version === 'string' && /^v\d{1,3}\.\d{1,2}$/.test(version) ? version : defaultVersion
}

/** A request that has not begun by then, counted from the call, is not sent. */
const startMs = 1_000

/** Posts JSON to Meta's Graph API. `path` is below the version. */
export const postToMeta = (
  { egress, simulatedUrl }: MetaPlace,
  account: ProviderAccount,
  path: string,
  body: object,
): Promise<Reply> =>
  egress.send({
    method: 'POST',
    url: `${account.simulated ? simulatedUrl() : 'https://graph.facebook.com'}/${versionOf(account)}/${path}`,
    headers: {
      authorization: `Bearer ${accessTokenOf(account)}`,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
    startMs,
  })
