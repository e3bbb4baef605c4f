import type { PlainResponse } from '#kernel/http/plain-route.ts'
import { type Part, html, moment, named, page, table } from '../pages/public.ts'
import { splitLinks } from './links.ts'
import type { StoredMail } from './read-mails.ts'

const lost = 'cannot be opened: it was sealed with an unknown application secret'

/** The list of caught mails. `path`: the path of the catcher. */
export const catcherPage = (mails: readonly StoredMail[], path: string): PlainResponse =>
  page({
    title: 'Mail catcher',
    wide: true,
    main: [
      html`<p>No mail server is configured, so Gable keeps emails here for 7 days instead of sending them.</p>`,
      table(
        'Mails, newest first',
        ['Written', 'To', 'Subject'],
        mails.map(({ id, created_at, mail }) => [
          moment(created_at),
          mail === undefined ? lost : named(mail.to),
          html`<a href="${path}/${id}">${named(mail?.subject ?? id)}</a>`,
        ]),
        'No mails yet. Invitations and password reset links appear here.',
      ),
    ],
  })

/** One mail. Its links to this server are clickable. */
export const mailPage = ({ mail, created_at }: StoredMail, origin: string, catcher: string): PlainResponse =>
  page({
    title: mail?.subject ?? 'A mail',
    main: [
      html`<p>To ${named(mail?.to ?? 'unknown')}, ${moment(created_at)}</p>`,
      mail === undefined ? html`<p>It ${lost}.</p>` : textOf(mail.text, origin),
      html`<p><a href="${catcher}">All caught emails</a></p>`,
    ],
  })

const textOf = (text: string, origin: string): Part =>
  html`<div class="letter">${splitLinks(text, origin).map((span) =>
    span.href === undefined ? span.text : html`<a href="${span.href}">${span.text}</a>`,
  )}</div>`
