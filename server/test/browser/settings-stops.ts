import { type Stop, refusedAfter, shownAfter } from './stop.ts'

const key = { Name: 'A report', 'See contacts and their details': 'checked' }

const keys: Stop[] = [
  { at: '/settings/:workspace/keys', who: 'owner', named: true },
  { at: '/settings/:workspace/keys/new', who: 'owner' },
  {
    at: '/settings/:workspace/keys/new',
    state: 'refused',
    who: 'owner',
    act: refusedAfter('Create the key', { Name: 'A report', 'Days until it expires': '0' }),
  },
  {
    at: '/settings/:workspace/keys/new',
    state: 'made',
    who: 'owner',
    act: shownAfter('Your new API key', 'Create the key', key),
  },
  { at: '/settings/:workspace/keys/:key/revoke', who: 'owner', named: true },
]

const app = { Name: 'Lead Mirror', 'Redirect addresses': 'https://mirror.example/callback' }

const apps: Stop[] = [
  { at: '/settings/:workspace/apps', who: 'owner', named: true },
  { at: '/settings/:workspace/apps/new', who: 'owner' },
  {
    at: '/settings/:workspace/apps/new',
    state: 'refused',
    who: 'owner',
    act: refusedAfter('Register the app', { ...app, 'Redirect addresses': 'x'.repeat(10_000) }),
  },
  {
    at: '/settings/:workspace/apps/new',
    state: 'registered',
    who: 'owner',
    act: shownAfter('Your new app', 'Register the app', {
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
    act: shownAfter('The new client secret', 'Replace the secret'),
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
    state: 'refused',
    who: 'owner',
    act: refusedAfter('Create the webhook', { Address: 'ftp://hooks.example' }),
  },
  {
    at: '/settings/:workspace/webhooks/new',
    state: 'made',
    who: 'owner',
    act: shownAfter('Your new webhook', 'Create the webhook', {
      Address: `https://hooks.example/${'x'.repeat(900)}`,
    }),
  },
  { at: '/settings/:workspace/webhooks/:webhook', who: 'owner', named: true },
  { at: '/settings/:workspace/webhooks/:webhook/secret', who: 'owner' },
  {
    at: '/settings/:workspace/webhooks/:webhook/secret',
    state: 'replaced',
    who: 'owner',
    act: shownAfter('The new signing secret', 'Replace the secret'),
  },
  { at: '/settings/:workspace/webhooks/:webhook/remove', who: 'owner' },
  { at: '/settings/:workspace/webhooks/:webhook/deliveries/:delivery', who: 'owner' },
]

const members: Stop[] = [
  { at: '/settings/:workspace/members', who: 'owner', named: true },
  { at: '/settings/:workspace/members/invite', who: 'owner' },
  {
    at: '/settings/:workspace/members/invite',
    state: 'refused',
    who: 'owner',
    act: refusedAfter('Send the invitation', {
      Name: 'Ada',
      'E-mail address': 'agent-of-the-house@gable.example',
    }),
  },
  { at: '/settings/:workspace/members/:member', who: 'owner', named: true },
  { at: '/settings/:workspace/members/:member/deactivate', who: 'owner', named: true },
]

export const settingsStops: readonly Stop[] = [
  { at: '/settings', who: 'several', named: true },
  { at: '/settings/:workspace', who: 'owner' },
  { at: '/settings/:workspace', who: 'agent', named: true },
  { at: '/settings/:workspace/keys', state: 'forbidden', who: 'agent' },
  ...keys,
  ...apps,
  ...webhooks,
  ...members,
]
