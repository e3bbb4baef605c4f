import type { PlainAnswer } from '#kernel/http/plain-route.ts'
import { type Part, html, moment, named, page, table } from '../pages/public.ts'
import { splitLinks } from './links.ts'
import type { StoredMail } from './read-mails.ts'

const lost = 'cannot be opened: no application secret fits'

/** All mails in the trap, newest first as they come. `path`: where it is. */
export const trapPage = (mails: readonly StoredMail[], path: string): PlainAnswer =>
  page({
    title: 'Mail trap',
    wide: true,
    main: [
      html`<p>No mail server is configured, so mails stay here instead of going out. Each is kept for 7 days.</p>`,
      table(
        'Mails, newest first',
        ['Written', 'To', 'Subject'],
        mails.map(({ id, created_at, mail }) => [
          moment(created_at),
          mail === undefined ? lost : named(mail.to),
          html`<a href="${path}/${id}">${named(mail?.subject ?? id)}</a>`,
        ]),
        'No mail has been sent yet. Invitations and links to set a password show up here.',
      ),
    ],
  })

/** One mail, with those links to follow that lead to this server. */
export const mailPage = ({ mail, created_at }: StoredMail, origin: string, trap: string): PlainAnswer =>
  page({
    title: mail?.subject ?? 'A mail',
    main: [
      html`<p>To ${named(mail?.to ?? 'somebody')}, ${moment(created_at)}</p>`,
      mail === undefined ? html`<p>It ${lost}.</p>` : textOf(mail.text, origin),
      html`<p><a href="${trap}">All mails in the trap</a></p>`,
    ],
  })

const textOf = (text: string, origin: string): Part =>
  html`<div class="letter">${splitLinks(text, origin).map((span) =>
    span.href === undefined ? span.text : html`<a href="${span.href}">${span.text}</a>`,
  )}</div>`
