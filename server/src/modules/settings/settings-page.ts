import type { PlainResponse } from '#kernel/http/plain-route.ts'
import { type Html, type Part, action, hidden, html, page } from '../pages/public.ts'
import { type Section, settingsHeader } from './settings-header.ts'
import type { SettingsRequest } from './settings-route.ts'

export interface SettingsPage {
  title: string
  /** The title with names marked up, if it contains any. */
  heading?: Part
  main: Part
  /** 200 by default. */
  status?: number
}

/** A page of one section. */
export const settingsPage = (
  { user, membership }: Pick<SettingsRequest, 'user' | 'membership'>,
  section: Section | undefined,
  { title, heading = title, main, status = 200 }: SettingsPage,
): PlainResponse =>
  page({ title, heading, main, status, wide: true, header: settingsHeader(user, membership, section) })

export interface SettingsForm {
  /** The path to post to; by default the page's own. */
  to?: string
  fields?: Part
  /** The button's label. */
  label: string
  kind?: 'primary' | 'danger'
  /** The target of Cancel. */
  back: string
}

/** A form with a button and a Cancel link. */
export const settingsForm = (
  { user: { csrf }, path }: SettingsRequest,
  { to = path, fields, label, kind = 'primary', back }: SettingsForm,
): Html => html`<form method="post" action="${to}">
${hidden({ csrf })}
${fields}
<p class="buttons"><button class="${kind}">${label}</button> <a href="${back}">Cancel</a></p>
</form>`

/** Asks for confirmation of something that cannot be undone. */
export const confirmation = (
  request: SettingsRequest,
  section: Section,
  {
    title,
    text,
    status = 200,
    ...form
  }: Omit<SettingsForm, 'fields' | 'to'> & Pick<SettingsPage, 'title' | 'status'> & { text: Part },
): PlainResponse =>
  settingsPage(request, section, {
    title,
    status,
    main: html`${text}\n${settingsForm(request, { kind: 'danger', ...form })}`,
  })

/** A form that is one button. */
export const button = ({ user: { csrf } }: SettingsRequest, path: string, label: string): Html =>
  action(path, { csrf }, label)
