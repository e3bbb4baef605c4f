import type { Send, SendFacts, SenderState } from './send.ts'

const senderCodeNames = [
  'sender_not_configured',
  'a2p_brand_not_approved',
  'a2p_campaign_not_approved',
  'a2p_number_not_registered',
  'tollfree_not_verified',
  'shortcode_not_active',
  'whatsapp_sender_not_approved',
  'email_domain_not_authenticated',
] as const
export type SenderCode = (typeof senderCodeNames)[number]

/** Whether a reason is about the sender, not about the recipient or the hours. */
export const isSenderCode = (code: string): code is SenderCode => senderCodeNames.some((one) => one === code)

/** The channel of each type of sender. */
const channelOf = {
  '10dlc': 'sms',
  tollfree: 'sms',
  shortcode: 'sms',
  whatsapp: 'whatsapp',
  email: 'email',
  voice: 'voice',
} as const

/** Why the sender cannot send this. */
export function senderCodes({ channel }: Send, { sender, recipient: { country } }: SendFacts): SenderCode[] {
  if (channel === 'voice') return []
  if (sender === null || channelOf[sender.type] !== channel) return ['sender_not_configured']
  return missingStates(sender, country)
}

/**
 * Returns what the sender lacks for this country. Texts to the United States and its territories require a registered brand, campaign,
 * and number. Toll-free numbers require verification, for texts to Canada as well. An unknown status counts as not approved.
 */
export function missingStates(sender: SenderState, country: SendFacts['recipient']['country']): SenderCode[] {
  switch (sender.type) {
    case '10dlc':
      return country === 'US' ? registrationCodes(sender) : []
    case 'tollfree':
      return sender.verification === 'TWILIO_APPROVED' || sender.verification === 'APPROVED'
        ? []
        : ['tollfree_not_verified']
    case 'shortcode':
      return sender.status === 'ACTIVE' ? [] : ['shortcode_not_active']
    case 'whatsapp':
      return sender.status === 'APPROVED' ? [] : ['whatsapp_sender_not_approved']
    case 'email':
      return sender.domainAuthenticated ? [] : ['email_domain_not_authenticated']
    case 'voice':
      return []
  }
}

/** Returns only the first fault, because a campaign depends on its brand, and a number on its campaign. */
function registrationCodes({ brand, campaign, number }: { brand: string; campaign: string; number: string }) {
  const codes: SenderCode[] = []
  if (brand !== 'APPROVED') codes.push('a2p_brand_not_approved')
  else if (campaign !== 'VERIFIED') codes.push('a2p_campaign_not_approved')
  else if (number !== 'REGISTERED') codes.push('a2p_number_not_registered')
  return codes
}
