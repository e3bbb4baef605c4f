/** What happens to a message to a failing number, in each protocol's codes. */
export interface Behavior {
  /** A description for people. */
  summary?: string
  /** Rejects the request with this status and code. */
  rejected?: Record<Protocol, [status: number, code: number]>
  /** Takes the message, then reports it as undelivered with this code. */
  undelivered?: Record<Protocol, number>
  /**
   * `reset`: the message is taken, but the connection is reset before the response. `hang`: the message is not taken,
   * and no response ever comes.
   */
  response?: 'reset' | 'hang'
  callbacks?: 'none' | 'doubled and reversed'
  /** The handset's response. */
  writesBack?: string
}

type Protocol = 'twilio' | 'whatsapp'

const rejected = (status: number, twilio: number, whatsapp: number, whatsAppStatus = status): Behavior => ({
  rejected: { twilio: [status, twilio], whatsapp: [whatsAppStatus, whatsapp] },
})

const undelivered = (twilio: number, whatsapp: number): Behavior => ({ undelivered: { twilio, whatsapp } })

/** By the last two digits of a number 555-01NN, in any area code. */
export const behaviors: Readonly<Record<string, Behavior>> = {
  80: { summary: 'rejected: not a valid number', ...rejected(400, 21211, 131026) },
  81: { summary: 'rejected: has opted out at the carrier', ...rejected(400, 21610, 131050) },
  82: { summary: 'undelivered: unreachable', ...undelivered(30003, 131026) },
  83: { summary: 'undelivered: unknown number', ...undelivered(30005, 131026) },
  84: { summary: 'undelivered: a landline', ...undelivered(30006, 131026) },
  85: { summary: 'undelivered: filtered', ...undelivered(30007, 131049) },
  86: { summary: 'undelivered: the sender is not registered', ...undelivered(30034, 133010) },
  87: { summary: 'rejected for now: too many requests', ...rejected(429, 20429, 130429, 400) },
  88: { summary: 'taken, but the response is lost', response: 'reset' },
  89: { summary: 'an error of the server', ...rejected(500, 20500, 131000) },
  90: { summary: 'no response at all', response: 'hang' },
  91: { summary: 'delivered without callbacks', callbacks: 'none' },
  92: { summary: 'delivered, every callback twice and in reverse', callbacks: 'doubled and reversed' },
  93: { summary: 'delivered, and replies STOP', writesBack: 'STOP' },
}

export const behaviorOf = (to: string): Behavior => {
  const [, suffix = ''] = /^\+1\d{3}55501(\d\d)$/.exec(to) ?? []
  return behaviors[suffix] ?? {}
}
