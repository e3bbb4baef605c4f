import { createHash } from 'node:crypto'
import type { Reach } from '#kernel/reach.ts'
import type { Campaign } from './campaign.ts'

/** What a summary is of: who is written to, what, and through which sender. A change of it needs a new summary. */
export const summaryHash = (
  { channel, audience, template, sender_id, schedule }: Campaign,
  reach: Reach,
): string =>
  createHash('sha256')
    .update(JSON.stringify([channel, audience, template, sender_id, schedule?.send_window ?? null, reach]))
    .digest('base64url')

/** Whether a job is counting. */
export const isSummarizing = ({ compliance_summary: summary }: Campaign): boolean =>
  summary?.status === 'running'

/** What ends a count that is under way. */
export const noSummary = {
  compliance_summary: null,
  summary_of: null,
  summary_to: null,
} satisfies Partial<Campaign>
