/** What happens to an email to a failing address. */
interface AddressBehavior {
  /** A description for people. */
  summary: string
  /** The server's reply to the recipient, always or only the first time. */
  recipient?: { code: number; text: string; once?: true }
  /** The server's reply to the content. */
  content?: { code: number; text: string }
  /**
   * `reset`: the first time, the email is taken, but the connection is reset before the reply. `hang`: no reply ever
   * comes.
   */
  reply?: 'reset' | 'hang'
  /** The email is taken, and a mail arrives in the account's mailbox shortly afterwards. */
  afterwards?: { code: string; text: string } | 'away' | 'complaint'
  /** Someone else writes in the name of the address: DMARC fails, and they know none of the emails that it got. */
  isForged?: true
}

/** By the part before the @, at any domain. */
export const addressBehaviors: Readonly<Record<string, AddressBehavior>> = {
  bounce: { summary: 'rejected: no such mailbox', recipient: { code: 550, text: '5.1.1 No such mailbox' } },
  full: {
    summary: 'rejected: the mailbox is full',
    recipient: { code: 552, text: '5.2.2 The mailbox is full' },
  },
  greylisted: {
    summary: 'rejected for now, the first time',
    recipient: { code: 450, text: '4.7.1 Greylisted: try again later', once: true },
  },
  busy: { summary: 'rejected for now, always', recipient: { code: 451, text: '4.3.0 Try again later' } },
  spam: { summary: 'rejected: the content', content: { code: 554, text: '5.7.1 Taken for spam' } },
  lost: { summary: 'taken, but the response is lost, the first time', reply: 'reset' },
  gone: {
    summary: 'taken, and bounces afterwards: no such mailbox',
    afterwards: { code: '5.1.1', text: 'No such mailbox' },
  },
  overquota: {
    summary: 'taken, and bounces afterwards: the mailbox is full',
    afterwards: { code: '5.2.2', text: 'The mailbox is full' },
  },
  away: { summary: 'responds that they are out of the office', afterwards: 'away' },
  complains: { summary: 'reports it as spam', afterwards: 'complaint' },
  forged: { summary: 'someone else writes in its name: the sender is not verified', isForged: true },
  hangs: { summary: 'no response to the content', reply: 'hang' },
}

export const addressBehaviorOf = (address: string): Partial<AddressBehavior> => {
  const [, local = ''] = /^([a-z]+)@/i.exec(address) ?? []
  const name = local.toLowerCase()
  return Object.hasOwn(addressBehaviors, name) ? { ...addressBehaviors[name] } : {}
}
