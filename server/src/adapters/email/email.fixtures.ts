import type { OutgoingEmail, OutgoingMessage } from '../../modules/messages/ports.ts'

export const parts: OutgoingEmail = {
  messageId: '<cmi8h5d1w0004p8k3j6q2z9a7@lantern.example>',
  references: ['<first@reyes.example>', '<second@reyes.example>'],
  fromName: 'Lantern & Oak',
  replyTo: 'office+r-x@lantern.example',
  bounceTo: 'office+b-x@lantern.example',
  writtenAt: new Date('2026-10-06T18:00:00Z'),
  calendar: null,
  marketing: {
    unsubscribeUrl: `https://gable.example/unsubscribe/${'0123456789abcdef'.repeat(10)}`,
    postalAddress: 'Lantern & Oak, 48 Alder Court, Evanston, IL 60201',
  },
}

export const email: OutgoingMessage = {
  attemptId: 'cmi8h5d1w0004p8k3j6q2z9a8',
  channel: 'email',
  from: 'office@lantern.example',
  to: 'sam@reyes.example',
  subject: 'Your viewing on Saturday',
  body: 'See you at 2 pm.\n.\nBring an umbrella, señor.',
  bodyHtml: '<html><body><p>See you at 2 pm.</p></body></html>',
  template: null,
  email: parts,
}
