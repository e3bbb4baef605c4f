import { createHmac } from 'node:crypto'
import type { ProviderAccount } from '../../modules/messages/ports.ts'

/** A secret is an access token and an app secret, separated by a space. The current secret comes first. */
const partsOf = ({ secrets }: ProviderAccount) => secrets.map((secret) => secret.split(' '))

export const accessTokenOf = (account: ProviderAccount): string => partsOf(account)[0]?.[0] ?? ''

/** The secrets that sign callbacks. The simulated carrier only ever gets the access token, so it signs with that. */
export const signingSecretsOf = (account: ProviderAccount): string[] =>
  partsOf(account)
    .map(([token = '', appSecret = '']) => (account.simulated ? token : appSecret))
    .filter((secret) => secret !== '')

/**
 * The token that Meta presents when it verifies the callback URL. Derived from the app secret, so that the person who
 * enters the URL in Meta's dashboard can derive it too.
 */
export const verifyTokenOf = (appSecret: string, { id }: ProviderAccount): string =>
  createHmac('sha256', appSecret).update(id).digest('hex')

/**
 * Meta's ID for a sender's number, from the connection's settings: `+13125550188: 106540352242922`. For the simulated
 * carrier, it is the number's digits.
 */
export function phoneNumberIdOf(
  { settings, simulated }: ProviderAccount,
  address: string,
): string | undefined {
  const id = simulated ? address.replace('+', '') : settings[address]
  return typeof id === 'string' && /^\d{1,40}$/.test(id) ? id : undefined
}
