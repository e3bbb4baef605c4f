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

/** Whether a reason is about the sender, and not about the recipient or the hours. */
export const isSenderCode = (code: string): code is SenderCode => senderCodeNames.some((one) => one === code)

/** What each kind of sender can send. */
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
 * What the sender lacks for this country. Registration of brands, campaigns and numbers binds texts to the United States and
 * its territories; verification of a toll-free number those to Canada as well. A state that is not known counts as not approved.
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

/** Only the first: a campaign needs its brand, and a number its campaign. */
function registrationCodes({ brand, campaign, number }: { brand: string; campaign: string; number: string }) {
  const codes: SenderCode[] = []
  if (brand !== 'APPROVED') codes.push('a2p_brand_not_approved')
  else if (campaign !== 'VERIFIED') codes.push('a2p_campaign_not_approved')
  else if (number !== 'REGISTERED') codes.push('a2p_number_not_registered')
  return codes
}
