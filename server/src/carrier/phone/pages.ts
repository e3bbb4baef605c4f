import { addressBehaviors } from '../email/failing-addresses.ts'
import { type Behavior, behaviors } from '../failing-numbers.ts'
import type { CarriedMessage } from '../message-log.ts'
import type { Served } from '../served.ts'
import { voiceBehaviors } from '../voice/script.ts'
import { type Markup, markup } from './markup.ts'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'self'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

export const phonePage = (
  title: string,
  style: string,
  body: Markup,
  status = 200,
  refresh?: string,
): Served => ({
  status,
  headers,
  body: markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${refresh === undefined ? undefined : markup`<meta http-equiv="refresh" content="${refresh}">`}
<title>${title}</title>
<link rel="stylesheet" href="${style}/style.css">
${body}
</html>`.text,
})

/** The handset's number in a message. */
export const handsetOf = ({ direction, from, to }: CarriedMessage): string =>
  direction === 'inbound' ? from : to

const lineOf = ({ direction, from, to }: CarriedMessage) => (direction === 'inbound' ? to : from)

export const pathOf = (root: string, number: string): string => `${root}/${encodeURIComponent(number)}`

/** All handsets with messages, latest first. `messages` must be newest first. */
export function indexPage(root: string, messages: readonly CarriedMessage[]): Served {
  const latest = new Map<string, CarriedMessage>()
  for (const message of messages) {
    if (!latest.has(handsetOf(message))) latest.set(handsetOf(message), message)
  }
  const rows = [...latest].slice(0, 200).map(
    ([number, { subject, body, direction }]) => markup`
<li><a href="${pathOf(root, number)}">${number}</a> <span>${direction === 'inbound' ? '→ ' : ''}${subject === undefined ? body : `${subject}: ${body}`}</span></li>`,
  )
  return phonePage(
    'Handsets',
    root,
    markup`<h1>Handsets</h1>
<p>The simulated carrier delivers texts, WhatsApp messages and emails to these handsets instead of real ones.</p>
<form action="${root}"><label>Number or email address <input name="number" required placeholder="+1 512 555 0123"></label>
<button>Open its handset</button></form>
<ul class="handsets">${rows}</ul>
<h2>Numbers that fail</h2>
<p>Of any area code:</p>
<ul>${Object.entries(behaviors).map(
      ([digits, behavior]) => markup`
<li>555-01${digits}: ${behavior.summary}${codesOf(behavior)}</li>`,
    )}</ul>
<h2>What happens when these numbers are called</h2>
<ul>${Object.entries(voiceBehaviors).map(
      ([digits, { summary }]) => markup`
<li>555-01${digits}: ${summary}</li>`,
    )}</ul>
<p>Any other number picks up by itself after a few seconds, unless its page is open.</p>
<h2>Email addresses that fail</h2>
<p>At any domain:</p>
<ul>${Object.entries(addressBehaviors).map(
      ([local, { summary }]) => markup`
<li>${local}@: ${summary}</li>`,
    )}</ul>`,
  )
}

function codesOf({ rejected, undelivered }: Behavior): string {
  const text = rejected?.twilio[1] ?? undelivered?.twilio
  const whatsApp = rejected?.whatsapp[1] ?? undelivered?.whatsapp
  return text === undefined ? '' : ` (${text}, WhatsApp ${whatsApp})`
}

/** A handset's page: its messages and calls, and a form to write. `lines` are the addresses that it can write to. */
export function handsetPage(root: string, number: string, lines: readonly string[], fault?: string): Served {
  const path = pathOf(root, number)
  return phonePage(
    number,
    root,
    markup`<p><a href="${root}">All handsets</a></p>
<h1>${number}</h1>
<iframe class="calls" src="${path}/calls" title="Calls"></iframe>
<iframe src="${path}/messages" title="Messages"></iframe>
${fault === undefined ? undefined : markup`<p role="alert">${fault}</p>`}
${lines.length === 0 ? markup`<p>It has nothing to respond to yet.</p>` : writingForms(path, lines)}`,
    fault === undefined ? 200 : 400,
  )
}

const writingForms = (path: string, lines: readonly string[]) => markup`<form method="post" action="${path}">
<label>To <select name="to" required>${lines.map((line) => markup`<option>${line}</option>`)}</select></label>
<label>Text <textarea name="body" rows="3" maxlength="1600" required autofocus></textarea></label>
<button>Send</button>
${
  path.includes('%40')
    ? undefined
    : markup`<button name="ring" value="yes" formnovalidate>Call</button>
<button name="ring" value="agent" formnovalidate>Call its AI</button>`
}
</form>
<form method="post" action="${path}">
<input type="hidden" name="to" value="${lines[0]}"><button name="body" value="STOP">Send STOP</button>
</form>`

/** A handset's messages, newest first, in a frame that refreshes itself. */
export const messagesPage = (root: string, number: string, messages: readonly CarriedMessage[]): Served =>
  phonePage(
    number,
    root,
    markup`<ol class="messages">${messages.map(
      (message) => markup`
<li class="${message.direction === 'inbound' ? 'received' : 'sent'}">${message.subject === undefined ? undefined : markup`<p><b>${message.subject}</b></p>`}<p>${
        message.subject === undefined ? message.body : withLinks(message.body)
      }</p>
<small>${message.direction === 'inbound' ? 'to' : 'from'} ${lineOf(message)}, ${stateOf(message)},
<time>${message.createdAt.toISOString().slice(11, 19)} UTC</time></small></li>`,
    )}</ol>`,
    200,
    '2',
  )

/** Makes links clickable, such as an email's unsubscribe link. */
const withLinks = (text: string): Markup[] =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, place) =>
      place % 2 === 0
        ? markup`${part}`
        : markup`<a href="${part}" target="_blank" rel="noreferrer">${part}</a>`,
    )

const stateOf = ({ status, errorCode }: CarriedMessage) =>
  errorCode === null ? status : `${status} (${errorCode})`

export const style: Served = {
  status: 200,
  headers: { 'content-type': 'text/css; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
html { max-width: 34rem; margin: auto; padding: 0 1rem; }
form { display: flex; flex-direction: column; gap: .5rem; align-items: flex-start; margin: 1rem 0; }
label { display: flex; flex-direction: column; align-self: stretch; }
input, select, textarea, button { font: inherit; padding: .4rem .6rem; }
.calls { height: 12rem; }
iframe:not(.calls) { height: 24rem; }
iframe { width: 100%; border: 1px solid #888; border-radius: .5rem; }
.handsets li { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.messages { list-style: none; padding: 0; display: flex; flex-direction: column; gap: .5rem; }
.messages p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.messages li { max-width: 80%; padding: .5rem .8rem; border-radius: .8rem; background: #8883; }
.messages .received { align-self: flex-end; background: #38f3; }
`,
}
