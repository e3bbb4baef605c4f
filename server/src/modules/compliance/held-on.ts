import type { Send, SendFacts } from './judge/send.ts'
import type { SuppressionRow } from './suppression-queries.ts'

/** Converts the suppressions that stop this channel to the facts that the judge expects. */
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
