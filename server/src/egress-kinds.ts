import { createEgress } from '#kernel/egress/create-egress.ts'
import type { Egress, EgressOptions } from '#kernel/egress/egress.ts'
import { bare, placeOf } from '#kernel/egress/rules.ts'

const publicOnly = { allowHttp: 'none', allowPrivate: 'none' } as const

export const anywhere = { allowHttp: 'all', allowPrivate: 'all' } as const

/**
 * What may be called besides public addresses over https and what EGRESS_ALLOW names, by who chose the address.
 * `provider`: an address that a provider names, such as a redirect; EGRESS_ALLOW does not apply. `person`: an admin, a member, an app, or the operator in a command; WEBHOOK_ALLOW_HTTP and WEBHOOK_ALLOW_PRIVATE
 * apply. `shell`: the address is not stored, and the person who runs the command could call it anyway.
 */
const rulesFor = {
  code: publicOnly,
  provider: publicOnly,
  person: 'configured',
  environment: anywhere,
  shell: anywhere,
} as const

/** Everything that Gable calls over HTTP, SMTP, IMAP, and CalDAV. A timeout is that of an exchange, by default 10 s. */
export const egressKinds = {
  /** Webhooks, webhook steps of automations, members' calendars, and files of messages to send. */
  hooks: { chosenBy: 'person' },
  /** The mail servers of workspaces. Their clients have their own timeouts. */
  mail: { chosenBy: 'person' },
  /** A job waits for a signature provider, which may be an own Documenso. */
  signing: { chosenBy: 'person', timeoutMs: 30_000 },
  /** Twilio, Meta, and Retell. An exchange ends up to 0.3 s after its timeout, and a message port within 10 s. */
  carriers: { chosenBy: 'code', timeoutMs: 9_500 },
  /** Files of received messages, wherever Twilio and Meta store them. */
  media: { chosenBy: 'provider', timeoutMs: 20_000 },
  /** AI_URL. A model that has not sent a whole response within this time counts as down. */
  model: { chosenBy: 'environment', timeoutMs: 20_000 },
  /** S3_ENDPOINT. Reading or writing a file fails after this long without a byte. */
  files: { chosenBy: 'environment', timeoutMs: 60_000 },
  /** PUBLIC_URL, as others reach it: `gable doctor`. */
  ownUrl: { chosenBy: 'code' },
  /** `gable listen --forward-to` */
  forwarding: { chosenBy: 'shell' },
} as const satisfies Record<string, { chosenBy: keyof typeof rulesFor; timeoutMs?: number }>

/** Opens the egress of a kind. It may also call the simulated carrier at `simulatedUrl`. */
export function openEgress(
  kind: keyof typeof egressKinds,
  configured: EgressOptions = publicOnly,
  simulatedUrl = '',
): Egress {
  const { chosenBy, ...timeout } = egressKinds[kind]
  const rules = rulesFor[chosenBy]
  const { networks = [], places = [] } = (chosenBy === 'provider' ? undefined : configured.allow) ?? {}
  return createEgress({
    ...configured,
    ...(rules === 'configured' ? {} : rules),
    ...timeout,
    allow: { networks, places: new Set([...places, ...simulatedPlaces(simulatedUrl)]) },
  })
}

/** The simulated carrier has SMTP one port above its HTTP port, and IMAP two ports above. */
function simulatedPlaces(url: string): string[] {
  const { hostname, port } = URL.parse(url) ?? {}
  return hostname === undefined
    ? []
    : [0, 1, 2].map((above) => placeOf({ hostname: bare(hostname), port: Number(port) + above }))
}
