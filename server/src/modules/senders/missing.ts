import { type SenderCode, missingStates } from '../compliance/public.ts'
import { senderState } from './registration.ts'
import type { SenderRow } from './sender.ts'

const words: Readonly<Record<SenderCode, string>> = {
  sender_not_configured: 'There is no sender',
  a2p_brand_not_approved: 'The brand is not approved',
  a2p_campaign_not_approved: 'The campaign is not verified',
  a2p_number_not_registered: 'The number is not registered in its campaign',
  tollfree_not_verified: 'The toll-free number is not verified',
  shortcode_not_active: 'The short code is not active',
  whatsapp_sender_not_approved: 'WhatsApp has not approved the number',
  email_domain_not_authenticated: 'The domain is not authenticated',
}

/** Why the sender may not send to the United States, in words. Empty if it may. */
export const missingOf = (sender: SenderRow): string[] =>
  missingStates(senderState(sender), 'US').map((code) => words[code])
