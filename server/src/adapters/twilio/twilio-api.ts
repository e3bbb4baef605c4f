import type { Egress, Reply } from '#kernel/egress/egress.ts'
import type { ProviderAccount } from '../../modules/messages/ports.ts'

/** How to reach an account's API. */
export interface TwilioPlace {
  egress: Egress
  /** The origin of the simulated carrier for a simulated account; empty where it is not in effect. */
  simulatedUrl: (account: Pick<ProviderAccount, 'workspaceId'>) => string
}

/** A request that can't start within this time is not sent. */
const startMs = 1_000

/**
 * Calls Twilio's API: POST with a form, otherwise GET or the given method. `path` is relative to
 * `/2010-04-01/Accounts/{sid}/`, or starts with a slash.
 */
export const callTwilio = (
  place: TwilioPlace,
  account: ProviderAccount,
  path: string,
  form?: Record<string, string> | [name: string, value: string][],
  method?: 'DELETE',
): Promise<Reply> =>
  call(
    place,
    account,
    'https://api.twilio.com',
    path.startsWith('/') ? path : accountPath(account) + path,
    form,
    method,
  )

/** Reads from Twilio's API for messaging services and registrations. `path` starts with `/v1/`. */
export const getFromMessaging = (
  place: TwilioPlace,
  account: ProviderAccount,
  path: string,
): Promise<Reply> => call(place, account, 'https://messaging.twilio.com', path)

function call(
  { egress, simulatedUrl }: TwilioPlace,
  account: ProviderAccount,
  realOrigin: string,
  path: string,
  form?: Record<string, string> | [name: string, value: string][],
  method?: 'DELETE',
): Promise<Reply> {
  const origin = account.simulated ? simulatedUrl(account) : realOrigin
  return egress.send({
    url: origin + path,
    headers: {
      authorization: loginOf(account),
      accept: 'application/json',
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    startMs,
    ...(form ? { method: 'POST', body: new URLSearchParams(form).toString() } : { method: method ?? 'GET' }),
  })
}

/** The origin of an account's API. */
export const originOf = (
  { simulatedUrl }: Pick<TwilioPlace, 'simulatedUrl'>,
  account: ProviderAccount,
): string => (account.simulated ? simulatedUrl(account) : 'https://api.twilio.com')

/** HTTP Basic credentials with the account's name and token (RFC 7617). */
export const loginOf = ({ name, secrets }: ProviderAccount): string =>
  `Basic ${Buffer.from(`${name}:${secrets[0]}`).toString('base64')}`

export const accountPath = ({ name }: ProviderAccount): string =>
  `/2010-04-01/Accounts/${encodeURIComponent(name)}/`
