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

const urlOf = ({ simulatedUrl }: MetaPlace, account: ProviderAccount, path: string): string =>
  `${account.simulated ? simulatedUrl() : 'https://graph.facebook.com'}/${versionOf(account)}/${path}`

/** A request that has not begun by then, counted from the call, is not sent. */
const startMs = 1_000

/** Reads from Meta's Graph API. `path` is below the version, with its query. */
export const getFromMeta = (place: MetaPlace, account: ProviderAccount, path: string): Promise<Reply> =>
  place.egress.send({
    method: 'GET',
    url: urlOf(place, account, path),
    headers: { authorization: `Bearer ${accessTokenOf(account)}`, accept: 'application/json' },
    startMs,
  })

/** Posts JSON to Meta's Graph API. `path` is below the version. */
export const postToMeta = (
  place: MetaPlace,
  account: ProviderAccount,
  path: string,
  body: object,
): Promise<Reply> =>
  place.egress.send({
    method: 'POST',
    url: urlOf(place, account, path),
    headers: {
      authorization: `Bearer ${accessTokenOf(account)}`,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
    startMs,
  })
