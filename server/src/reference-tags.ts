import type { Tag } from '#kernel/openapi/document.ts'

/** The groups of endpoints in the API reference, in the order in which an integration needs them. */
export const tags: readonly Tag[] = [
  { name: 'Meta', description: 'What your credential may do, and this document.' },
  {
    name: 'Leads',
    description: 'Inquiries with their consent: captured once, routed to an agent, and claimed.',
  },
  {
    name: 'Contacts',
    description: 'The people whom a workspace knows, with their stages, tags, and owners.',
  },
  { name: 'Timeline', description: 'What has happened with a contact, and the notes about it.' },
  {
    name: 'Messages',
    description: 'Texts, WhatsApp messages, and emails that pass the compliance gates, and conversations.',
  },
  {
    name: 'Calls',
    description: 'Calls by members and by the AI, with transcripts, summaries, and recordings.',
  },
  {
    name: 'Webhooks',
    description: 'Subscriptions to events, their signing secrets, and the log of their deliveries.',
  },
  {
    name: 'Requests',
    description:
      'The log of requests to the API, without personal data: what a request was, and why it failed.',
  },
  {
    name: 'Events',
    description: 'The journal of a workspace for clients that poll, and every event that webhooks deliver.',
  },
  { name: 'Deals', description: 'Deals with their stages, sides, and commissions.' },
  { name: 'Pipelines', description: 'The stages of deals, and the board that shows them.' },
  { name: 'Documents', description: 'Documents that people sign with Documenso or DocuSign.' },
  {
    name: 'Listings',
    description: "The workspace's own listings, and the fair housing review of their remarks.",
  },
  {
    name: 'Saved searches',
    description: 'What contacts are looking for, and the digests of listings that match.',
  },
  { name: 'Calendar', description: 'Appointments, tasks, free times, and everything that has a date.' },
  {
    name: 'Automations',
    description: 'What happens to contacts by itself: definitions, enrollments, dry runs, and backfills.',
  },
  { name: 'Campaigns', description: 'One message to many contacts, at a set pace.' },
  { name: 'Personas', description: 'How the AI writes, when it may send, and what it may cost.' },
  { name: 'Generations', description: 'What the AI proposed, from what, and what became of it.' },
  { name: 'Routing rules', description: 'The rules that decide who gets a lead, and tests of them.' },
  { name: 'Agents', description: 'Whether members can take leads: their shifts, caps, and pauses.' },
  { name: 'Compliance', description: 'One file that shows whether and why a contact could be contacted.' },
  { name: 'Suppressions', description: 'The numbers, addresses, and contacts that may not be contacted.' },
  {
    name: 'Compliance settings',
    description: 'What applies to every message and call: countries, hours, and limits.',
  },
  {
    name: 'Senders',
    description: 'The numbers and addresses that messages come from, with their registration and pace.',
  },
  {
    name: 'Message templates',
    description: 'Templates of WhatsApp messages, and whether they are approved.',
  },
  {
    name: 'Connections',
    description: 'Accounts at the providers that carry messages, calls, and signatures.',
  },
  {
    name: 'Workspace',
    description: 'The name and settings of the workspace that the credential belongs to.',
  },
  { name: 'Members', description: 'The people who work in the workspace, with their roles.' },
  { name: 'Invitations', description: 'Invitations to become a member.' },
  { name: 'Teams', description: 'Groups of members, whose leads see the records of the others.' },
  { name: 'Offices', description: 'The places where members and teams work.' },
  { name: 'API keys', description: 'Credentials for integrations of this workspace.' },
  { name: 'Apps', description: 'OAuth apps that this workspace has registered.' },
  { name: 'Connected apps', description: 'OAuth apps that may act in this workspace.' },
  { name: 'Audit log', description: 'Who changed what in the workspace.' },
  { name: 'Me', description: 'The signed-in person. Only for pages of this server, with their session.' },
]
