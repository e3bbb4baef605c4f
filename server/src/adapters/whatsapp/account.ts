import { createHmac } from 'node:crypto'
import type { ProviderAccount } from '../../modules/messages/ports.ts'

/** A secret is an access token and an app secret with a space between them, the current one first. */
const partsOf = ({ secrets }: ProviderAccount) => secrets.map((secret) => secret.split(' '))

export const accessTokenOf = (account: ProviderAccount): string => partsOf(account)[0]?.[0] ?? ''

/** What signs the callbacks. The simulated carrier gets to know the access token only, and signs with that. */
export const signingSecretsOf = (account: ProviderAccount): string[] =>
  partsOf(account)
    .map(([token = '', appSecret = '']) => (account.simulated ? token : appSecret))
    .filter((secret) => secret !== '')

/** What Meta has to present when it verifies our address. Who sets the address in Meta's dashboard can derive it as well. */
export const verifyTokenOf = (appSecret: string, { id }: ProviderAccount): string =>
  createHmac('sha256', appSecret).update(id).digest('hex')

/**
 * Meta's ID of a number of ours, which the connection's settings name: `+13125550188: 106540352242922`. With the simulated
 * carrier it is the number's digits.
 */
export function phoneNumberIdOf(
  { settings, simulated }: ProviderAccount,
  address: string,
): string | undefined {
  const id = simulated ? address.replace('+', '') : settings[address]
  return typeof id === 'string' && /^\d{1,40}$/.test(id) ? id : undefined
}
