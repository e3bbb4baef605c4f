import { createHash } from 'node:crypto'
import type { Reach } from '#kernel/db/handles.ts'
import type { Campaign } from './campaign.ts'

/**
 * Hashes what a summary covers: who is messaged, with what, within which hours, through which sender, and as which persona. If any of it changes, a new
 * summary is needed.
 */
export const summaryHash = (
  { channel, audience, template, sender_id, persona_id, schedule }: Campaign,
  reach: Reach,
): string =>
  createHash('sha256')
    .update(
      JSON.stringify([channel, audience, template, sender_id, persona_id, schedule?.send_window, reach]),
    )
    .digest('base64url')

/** Whether a reader may see the summary: it counts the contacts in their reach alone, or they see all contacts. */
export const summarizes = (campaign: Campaign, reach: Reach): boolean =>
  reach === 'all' || campaign.summary_of === summaryHash(campaign, reach)

/** Whether a summary is in progress. */
export const isSummarizing = ({ compliance_summary: summary }: Campaign): boolean =>
  summary?.status === 'running'

/** Ends a summary in progress. */
export const noSummary = {
  compliance_summary: null,
  summary_of: null,
  summary_to: null,
} satisfies Partial<Campaign>
