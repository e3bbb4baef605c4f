import type { Ctx } from '#kernel/context.ts'
import { type CallDependencies, testConnection } from '../../calls/public.ts'
import { type Part, html } from '../../pages/public.ts'
import type { Section } from '../settings-header.ts'
import type { ProviderName } from './provider-form.ts'

/** Providers that are connected in the same way, on the same page. */
export interface ProviderKind {
  section: Section
  /** The word for one connection in paths. */
  one: string
  /** The word for one provider in texts. */
  noun: string
  providers: readonly ProviderName[]
  title: string
  intro: Part
  caption: string
  none: string
  /** What it means for a connection to be simulated. */
  simulated: string
  /** Checks with the provider whether it accepts the credentials. */
  check?: (ctx: Ctx, connectionId: string) => Promise<unknown>
}

export const signatureKind: ProviderKind = {
  section: 'signatures',
  one: 'signature',
  noun: 'signature provider',
  providers: ['documenso', 'docusign'],
  title: 'Signatures',
  intro: html`People sign documents with these providers. A document without a <code>connection_id</code> goes to the oldest that is not
simulated. Give the callback address to the provider as a webhook, so that signatures show at once.`,
  caption: 'Signature providers, newest first',
  none: 'No providers yet. Until you add one, documents go to a simulated Documenso, where signatures are not binding.',
  simulated: 'not binding',
}

export const voiceKind = ({ voice }: Pick<CallDependencies, 'voice'>): ProviderKind => ({
  section: 'voice',
  one: 'voice',
  noun: 'voice provider',
  providers: ['retell', 'twilio'],
  title: 'Voice',
  intro: html`An agent of Retell holds the calls of the AI; the calls of members go through the Twilio account of the number that they come
from. A call without a <code>connection_id</code> goes to the oldest connection with Retell that is not simulated. For calls that come in, give
the callback address to the agent at Retell as its webhook URL. The number that the AI calls from has to be bought at Retell or imported
there, and the API key has to be the one with the webhook badge: only that one signs callbacks.`,
  caption: 'Voice providers, newest first',
  none: 'No providers yet. Until you add one, calls go to the simulated carrier and reach no one.',
  simulated: 'reaches no one',
  check: (ctx, id) => testConnection(ctx, voice, id),
})
