import { accountHeader } from '../account/public.ts'
import { type Html, html, named } from '../pages/public.ts'
import type { SessionUser, WorkspaceMembership } from '../people/public.ts'

/** The sections of the settings. */
export const sections = [
  { path: 'keys', label: 'API keys', about: 'Give your own programs access to this workspace.' },
  { path: 'apps', label: 'Apps', about: 'Register OAuth applications that you offer to others.' },
  {
    path: 'connections',
    label: 'Connected apps',
    about: 'See which applications can access this workspace, and disconnect them.',
  },
  { path: 'webhooks', label: 'Webhooks', about: 'Send events to your server as they happen.' },
  {
    path: 'senders',
    label: 'Senders',
    about: 'See which senders your messages come from, and whether they may send.',
  },
  {
    path: 'signatures',
    label: 'Signatures',
    about: 'Connect providers for signing documents.',
  },
  { path: 'voice', label: 'Voice', about: 'Connect the providers that carry calls.' },
  { path: 'members', label: 'Members', about: 'Invite people and manage their roles.' },
  { path: 'workspace', label: 'Workspace', about: 'Set its name, time zone, and currency.' },
  { path: 'compliance', label: 'Compliance', about: 'Set the rules for all messages and calls.' },
] as const

export type Section = (typeof sections)[number]['path']

/** The header of a workspace's settings, with its sections. */
export function settingsHeader(user: SessionUser, membership: WorkspaceMembership, section?: Section): Html {
  const { workspace } = membership
  const base = `/settings/${workspace.id}`
  const link = ({ path, label }: (typeof sections)[number]) => {
    const current = path === section ? html` aria-current="page"` : ''
    return html`<a href="${base}/${path}"${current}>${label}</a>\n`
  }
  const where = html`<a class="where" href="${base}">${named(workspace.name)}</a>`
  return accountHeader(user, { nav: html`${where}\n${sections.map(link)}`, membership })
}
