import type { ProviderAccount } from '../../src/modules/messages/ports.ts'

const account = { id: 'cmi8h2k5p0001zq8r4t6w9x3y', workspaceId: 'cmi8h2k5p0000zq8r4t6w9x3y', settings: {} }

/** Accounts of simulated providers on this machine. */
export const twilioAccount: ProviderAccount = {
  ...account,
  provider: 'twilio',
  name: 'AC0123',
  simulated: true,
  secrets: ['token'],
}
export const whatsAppAccount: ProviderAccount = {
  ...account,
  provider: 'whatsapp',
  name: '102290129340398',
  simulated: true,
  secrets: ['EAAJ2 app-secret', 'EAAJ1 previous-app-secret'],
}
