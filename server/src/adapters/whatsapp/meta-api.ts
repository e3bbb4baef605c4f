import type { Egress, Reply } from '#kernel/egress/egress.ts'
import type { ProviderAccount } from '../../modules/messages/ports.ts'
import { accessTokenOf } from './account.ts'

/** How to reach an account's API. */
export interface MetaPlace {
  egress: Egress
  /** The origin of the simulated carrier, for simulated accounts. */
  simulatedUrl: (account: Pick<ProviderAccount, 'workspaceId'>) => string
}

/** Meta supports a version for at least two years. A connection's `api_version` setting overrides this. */
const defaultVersion = 'v24.0'

const versionOf = ({ settings }: ProviderAccount): string => {
  const { api_version: version } = settings
  return typeof version === 'string' && /^v\d{1,3}\.\d{1,2}$/.test(version) ? version : defaultVersion
}

const urlOf = ({ simulatedUrl }: MetaPlace, account: ProviderAccount, path: string): string =>
  `${account.simulated ? simulatedUrl(account) : 'https://graph.facebook.com'}/${versionOf(account)}/${path}`

/** A request that can't start within this time is not sent. */
const startMs = 1_000

/** Reads from Meta's Graph API. `path` is relative to the version and includes the query. */
export const getFromMeta = (place: MetaPlace, account: ProviderAccount, path: string): Promise<Reply> =>
  place.egress.send({
    method: 'GET',
    url: urlOf(place, account, path),
    headers: { authorization: `Bearer ${accessTokenOf(account)}`, accept: 'application/json' },
    startMs,
  })

/** Posts JSON to Meta's Graph API. `path` is relative to the version. */
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
