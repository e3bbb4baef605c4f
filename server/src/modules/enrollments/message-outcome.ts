import type { Message } from '../messages/public.ts'

type MessageOutcome = 'pending' | 'sent' | { outcome: 'blocked' | 'failed' | 'skipped'; reason: string }

/** The outcome of a message. A message whose outcome stays unknown counts as sent. */
export function messageOutcome(message: Message | undefined): MessageOutcome {
  switch (message?.status) {
    case 'scheduled':
    case 'queued':
    case 'sending':
    case 'pending_approval':
      return 'pending'
    case 'blocked':
      return { outcome: 'blocked', reason: message.compliance?.reason ?? 'blocked' }
    case 'failed':
    case 'undelivered':
      return { outcome: 'failed', reason: message.error?.code ?? message.status }
    case 'cancelled':
      return { outcome: 'skipped', reason: 'cancelled' }
    default:
      return 'sent'
  }
}
