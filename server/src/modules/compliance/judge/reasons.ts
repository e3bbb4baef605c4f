import type { Code } from './gates.ts'

/** Every reason of the judge in words. */
const reasons: Readonly<Record<Code, string>> = {
  recipient_invalid: 'The phone number is not assigned to anyone.',
  recipient_erased: 'The contact has been erased.',
  country_not_enabled: 'Messages to this country are not enabled in the workspace.',
  opted_out: 'The recipient has opted out.',
  opt_out_confirmation_already_sent: 'The opt-out has been confirmed already.',
  suppressed_internal_dnc: 'The recipient has asked the brokerage not to contact them.',
  suppressed_litigator: 'The recipient is known to sue over messages and calls.',
  suppressed_reassigned_number: 'The phone number now belongs to another person.',
  suppressed_hard_bounce: 'The email address does not exist.',
  suppressed_complaint: 'The recipient has reported an email as spam.',
  suppressed_manual: 'A member has decided that the recipient is not to be contacted.',
  ai_paused: 'The AI is paused for this contact.',
  consent_missing: 'The recipient has not agreed to be contacted.',
  consent_insufficient: 'What the recipient agreed to does not cover this message.',
  consent_revoked: 'The recipient has taken back their consent.',
  ai_consent_missing: 'The recipient has not agreed to be contacted by an AI.',
  dnc_national: 'The phone number is on the national do-not-call list.',
  dnc_state: "The phone number is on a state's do-not-call list.",
  dnc_check_unavailable: 'A do-not-call list is set up and cannot be read now.',
  sender_not_configured: 'The workspace has no sender for this channel.',
  a2p_brand_not_approved: "The sender's brand is not approved for texting.",
  a2p_campaign_not_approved: "The sender's campaign is not approved for texting.",
  a2p_number_not_registered: "The sender's number is not registered with its campaign.",
  tollfree_not_verified: 'The toll-free number of the sender is not verified.',
  shortcode_not_active: 'The short code of the sender is not active.',
  whatsapp_sender_not_approved: 'WhatsApp has not approved the sender.',
  email_domain_not_authenticated: "The domain of the sender's address is not authenticated.",
  whatsapp_template_required:
    'The recipient has not written within 24 hours: WhatsApp requires an approved template.',
  whatsapp_template_not_approved: 'WhatsApp has not approved the template.',
  whatsapp_marketing_us_paused: 'WhatsApp delivers no marketing templates to numbers of the United States.',
  email_unsubscribe_missing: 'The email has no link to unsubscribe.',
  email_postal_address_missing:
    "The workspace's postal address, which marketing emails must show, is not set.",
  content_fair_housing: 'The text states a preference or a limit that fair housing law forbids, or steers.',
  content_unsupported: 'The text states a figure, date, place, or link that the AI was not given.',
  content_prohibited:
    'The text gives advice, an opinion of a price, or a promise, or is about a topic that the AI must leave to a person.',
  frequency_cap: "The recipient's state allows no more messages in 24 hours.",
  quiet_hours: 'It is outside the hours in which the recipient may be contacted.',
  restricted_day:
    'The recipient may not be contacted on this day: it is closed in their state, or an emergency is declared there.',
  timezone_unknown: "The recipient's time zone is unknown.",
}

export const reasonText = (code: Code): string => reasons[code]
