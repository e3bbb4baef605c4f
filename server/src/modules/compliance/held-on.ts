import type { Send, SendFacts } from './judge/send.ts'
import type { SuppressionRow } from './suppression-queries.ts'

/** What holds on this channel, as the judge takes it. A suppression names the channels that it stops. */
export function heldOn(
  rows: readonly SuppressionRow[],
  channel: Send['channel'],
): Pick<SendFacts['contact'], 'optedOut' | 'suppressions'> {
  const stopping = rows.filter(({ channels }) =>
    channels.includes(channel === 'voice' ? 'voice_auto' : channel),
  )
  return {
    optedOut: stopping.flatMap(({ kind, channels }) => (kind === 'opted_out' ? channels : [])),
    suppressions: [
      ...new Set(
        stopping.flatMap(({ kind }) => (kind === 'opted_out' || kind === 'consent_revoked' ? [] : [kind])),
      ),
    ],
  }
}
