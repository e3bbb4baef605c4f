import { type Markup, markup } from '../phone/markup.ts'
import { phonePage } from '../phone/pages.ts'
import type { Served } from '../served.ts'
import type { SimulatedEnvelope, SimulatedRecipient } from './envelopes.ts'

const outcomes: Readonly<Record<string, string>> = {
  SIGNED: 'You have signed this document.',
  REJECTED: 'You have declined to sign this document.',
}

/** A signer's page: the document, who else signs it, and two buttons. The style sheet is under the path `root`. */
export const signPage = (root: string, envelope: SimulatedEnvelope, me: SimulatedRecipient): Served =>
  phonePage(
    envelope.title,
    root,
    markup`<h1>${envelope.title}</h1>
<p>${me.name}, this is the simulated Documenso. Nothing that you sign here binds anyone.</p>
<ul>${envelope.recipients.map(
      ({ name, signingStatus }) => markup`
<li>${name}: ${signingStatus === 'NOT_SIGNED' ? 'has not signed' : signingStatus.toLowerCase()}</li>`,
    )}</ul>
${actions(envelope, me)}`,
  )

function actions({ status }: SimulatedEnvelope, { signingStatus, token }: SimulatedRecipient): Markup {
  const outcome = outcomes[signingStatus]
  if (outcome !== undefined) return markup`<p>${outcome}</p>`
  if (status !== 'PENDING') return markup`<p>This document can no longer be signed.</p>`
  return markup`<form method="post" action="/sign/${token}">
<button name="action" value="sign">Sign</button> <button name="action" value="reject">Decline</button>
</form>`
}
