import { type Stop, rejectedAfter, shownAfter } from './stop.ts'

const key = { Name: 'A report', 'See contacts and their details': 'checked' }

const keys: Stop[] = [
  { at: '/settings/:workspace/keys', who: 'owner', named: true },
  { at: '/settings/:workspace/keys/new', who: 'owner' },
  {
    at: '/settings/:workspace/keys/new',
    state: 'rejected',
    who: 'owner',
    act: rejectedAfter('Create API key', { Name: 'A report', 'Expires after (days)': '0' }),
  },
  {
    at: '/settings/:workspace/keys/new',
    state: 'made',
    who: 'owner',
    act: shownAfter('Your new API key', 'Create API key', key),
  },
  { at: '/settings/:workspace/keys/:key/revoke', who: 'owner', named: true },
]

const app = { Name: 'Lead Mirror', 'Redirect URIs': 'https://mirror.example/callback' }

const apps: Stop[] = [
  { at: '/settings/:workspace/apps', who: 'owner', named: true },
  { at: '/settings/:workspace/apps/new', who: 'owner' },
  {
    at: '/settings/:workspace/apps/new',
    state: 'rejected',
    who: 'owner',
    act: rejectedAfter('Register app', { ...app, 'Redirect URIs': 'x'.repeat(10_000) }),
  },
  {
    at: '/settings/:workspace/apps/new',
    state: 'registered',
    who: 'owner',
    act: shownAfter('Your new app', 'Register app', {
      ...app,
      'See leads and how they were routed': 'checked',
    }),
  },
  { at: '/settings/:workspace/apps/:app', who: 'owner', named: true },
  { at: '/settings/:workspace/apps/:app/edit', who: 'owner' },
  { at: '/settings/:workspace/apps/:app/secret', who: 'owner', named: true },
  {
    at: '/settings/:workspace/apps/:app/secret',
    state: 'replaced',
    who: 'owner',
    named: true,
    act: shownAfter('The new client secret', 'Rotate secret'),
  },
  { at: '/settings/:workspace/apps/:app/delete', who: 'owner', named: true },
  { at: '/settings/:workspace/connections', who: 'owner', named: true },
  { at: '/settings/:workspace/connections/:connection/revoke', who: 'owner', named: true },
]

const webhooks: Stop[] = [
  { at: '/settings/:workspace/webhooks', who: 'owner', named: true },
  { at: '/settings/:workspace/webhooks/new', who: 'owner' },
  {
    at: '/settings/:workspace/webhooks/new',
    state: 'rejected',
    who: 'owner',
    act: rejectedAfter('Create webhook', { URL: 'ftp://hooks.example' }),
  },
  {
    at: '/settings/:workspace/webhooks/new',
    state: 'made',
    who: 'owner',
    act: shownAfter('Your new webhook', 'Create webhook', {
      URL: `https://hooks.example/${'x'.repeat(900)}`,
    }),
  },
  { at: '/settings/:workspace/webhooks/:webhook', who: 'owner', named: true },
  { at: '/settings/:workspace/webhooks/:webhook/edit', who: 'owner' },
  {
    at: '/settings/:workspace/webhooks/:webhook/edit',
    state: 'rejected',
    who: 'owner',
    act: rejectedAfter('Save', { URL: 'ftp://hooks.example' }),
  },
  { at: '/settings/:workspace/webhooks/:webhook/secret', who: 'owner' },
  {
    at: '/settings/:workspace/webhooks/:webhook/secret',
    state: 'replaced',
    who: 'owner',
    act: shownAfter('The new signing secret', 'Rotate secret'),
  },
  { at: '/settings/:workspace/webhooks/:webhook/remove', who: 'owner' },
  { at: '/settings/:workspace/webhooks/:webhook/deliveries/:delivery', who: 'owner' },
]

const members: Stop[] = [
  { at: '/settings/:workspace/members', who: 'owner', named: true },
  { at: '/settings/:workspace/members/invite', who: 'owner' },
  {
    at: '/settings/:workspace/members/invite',
    state: 'rejected',
    who: 'owner',
    act: rejectedAfter('Send invitation', {
      Name: 'Ada',
      'Email address': 'agent-at-lantern@gable.example',
    }),
  },
  { at: '/settings/:workspace/members/:member', who: 'owner', named: true },
  { at: '/settings/:workspace/members/:member/deactivate', who: 'owner', named: true },
]

const documenso = { Name: 'Documenso', Team: 'Lantern & Oak' }

const signaturesAndVoice: Stop[] = [
  { at: '/settings/:workspace/signatures', who: 'owner', named: true },
  { at: '/settings/:workspace/signatures/documenso', who: 'owner' },
  {
    at: '/settings/:workspace/signatures/documenso',
    state: 'rejected',
    who: 'owner',
    act: rejectedAfter('Connect', { ...documenso, 'API token': 'api token', 'Webhook secret': 'x' }),
  },
  { at: '/settings/:workspace/signatures/docusign', who: 'owner' },
  {
    at: '/settings/:workspace/signatures/docusign',
    state: 'rejected',
    who: 'owner',
    act: rejectedAfter('Connect', {
      Name: 'DocuSign',
      'API account ID': 'a',
      'Connect key': 'k',
      'Integration key': 'k',
      'User ID': 'u',
      'RSA private key': 'x',
    }),
  },
  { at: '/settings/:workspace/signatures/:signature', who: 'owner', named: true },
  { at: '/settings/:workspace/signatures/:signature/disconnect', who: 'owner', named: true },
  { at: '/settings/:workspace/voice', who: 'owner', named: true },
  { at: '/settings/:workspace/voice/retell', who: 'owner' },
  { at: '/settings/:workspace/voice/twilio', who: 'owner' },
  {
    at: '/settings/:workspace/voice/retell',
    state: 'rejected',
    who: 'owner',
    act: rejectedAfter('Connect', { Name: 'Retell', 'Agent ID': 'agent_1', 'API key': 'two words' }),
  },
  { at: '/settings/:workspace/voice/:voice', who: 'owner', named: true },
  { at: '/settings/:workspace/voice/:voice/disconnect', who: 'owner', named: true },
]

const openListing: Stop['open'] = (visit, { records }) =>
  visit.open(`/settings/fair-housing?workspace=${records['workspace']}&listing=${records['listing']}`)

export const settingsStops: readonly Stop[] = [
  { at: '/settings', who: 'several', named: true },
  { at: '/settings/:workspace', who: 'owner' },
  { at: '/settings/:workspace', who: 'agent', named: true },
  { at: '/settings/:workspace/keys', state: 'forbidden', who: 'agent' },
  ...keys,
  ...apps,
  ...webhooks,
  { at: '/settings/:workspace/senders', who: 'owner', named: true },
  ...signaturesAndVoice,
  { at: '/settings/:workspace/compliance', who: 'owner' },
  { at: '/settings/:workspace/workspace', who: 'owner' },
  { at: '/settings/calendar', who: 'owner' },
  { at: '/settings/fair-housing', who: 'agent', named: true },
  { at: '/settings/fair-housing', state: 'a listing', who: 'agent', named: true, open: openListing },
  {
    at: '/settings/fair-housing',
    state: 'rejected',
    who: 'agent',
    open: openListing,
    act: rejectedAfter('Acknowledge', { Reason: ' ' }),
  },
  ...members,
]
