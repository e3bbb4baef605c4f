import type { PlainAnswer } from '#kernel/http/plain-route.ts'
import { type Html, type Part, action, hidden, html, named, page } from '../pages/public.ts'
import { type Place, type Visitor, signedInHeader } from '../signin/public.ts'
import type { Desk } from './desk.ts'

/** The parts of the settings, with what each is good for. */
export const sections = [
  { path: 'keys', label: 'API keys', about: 'Let programs of your own work with this workspace.' },
  { path: 'apps', label: 'Apps', about: 'Register applications that you offer to others.' },
  {
    path: 'connections',
    label: 'Connected apps',
    about: 'See which applications may act for this workspace, and take it back.',
  },
  { path: 'webhooks', label: 'Webhooks', about: 'Have changes told to an address of yours, as they happen.' },
  { path: 'members', label: 'Members', about: 'Invite people, and decide what they may do.' },
] as const

export type Section = (typeof sections)[number]['path']

export interface DeskPage {
  title: string
  /** Where a name stands in the title: the same, with the name marked as one. */
  heading?: Part
  main: Part
  /** 200 by default. */
  status?: number
}

/** A page of one of the parts. */
export const deskPage = (
  { visitor, place }: Pick<Desk, 'visitor' | 'place'>,
  section: Section | undefined,
  { title, heading = title, main, status = 200 }: DeskPage,
): PlainAnswer =>
  page({ title, heading, main, status, wide: true, header: headerOf(visitor, place, section) })

function headerOf(visitor: Visitor, { workspace }: Place, section: Section | undefined): Html {
  const base = `/settings/${workspace.id}`
  const link = ({ path, label }: (typeof sections)[number]) => {
    const current = path === section ? html` aria-current="page"` : ''
    return html`<a href="${base}/${path}"${current}>${label}</a>\n`
  }
  const where = html`<a class="where" href="${base}">${named(workspace.name)}</a>`
  return signedInHeader(visitor, html`${where}\n${sections.map(link)}`)
}

export interface DeskForm {
  /** Where it is posted; the page's own path by default. */
  to?: string
  fields?: Part
  /** Of the button. */
  label: string
  kind?: 'primary' | 'danger'
  /** Where one goes who changes their mind. */
  back: string
}

/** A form with its button and a way back. */
export const deskForm = (
  { visitor: { csrf }, path }: Desk,
  { to = path, fields, label, kind = 'primary', back }: DeskForm,
): Html => html`<form method="post" action="${to}">
${hidden({ csrf })}
${fields}
<p class="buttons"><button class="${kind}">${label}</button> <a href="${back}">Cancel</a></p>
</form>`

/** Asks before something is done that cannot be taken back. */
export const confirmation = (
  desk: Desk,
  section: Section,
  { title, text, ...form }: Omit<DeskForm, 'fields' | 'to'> & { title: string; text: Part },
): PlainAnswer =>
  deskPage(desk, section, { title, main: html`${text}\n${deskForm(desk, { kind: 'danger', ...form })}` })

/** One button that does something. */
export const button = ({ visitor: { csrf } }: Desk, path: string, label: string): Html =>
  action(path, { csrf }, label)
