/** Markup that is not escaped; every other value is. */
class Markup {
  #text
  /** @param {string} text */
  constructor(text) {
    this.#text = text
  }

  toString() {
    return this.#text
  }
}

/**
 * @param {TemplateStringsArray} pieces
 * @param {...unknown} values
 */
const html = (pieces, ...values) => new Markup(String.raw({ raw: pieces }, ...values.map(written)))

/**
 * @param {unknown} value
 * @returns {string}
 */
function written(value) {
  if (value instanceof Markup) return value.toString()
  if (Array.isArray(value)) return value.map(written).join('')
  return String(value ?? '').replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * @param {string} title
 * @param {Markup} main
 */
const page = (title, main) =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Lead Mirror</title>
<link rel="stylesheet" href="/style.css">
<script src="/live.js" defer></script>
</head>
<body><main><h1>${title}</h1>${main}</main></body>
</html>
`.toString()

/** @param {string} [message] */
export const connectPage = (message) =>
  page(
    'Lead Mirror',
    html`<p>${message ?? 'Shows the newest leads of your workspace.'}</p><p><a href="/connect">Connect to Gable</a></p>`,
  )

/**
 * @param {string} title
 * @param {string} message
 */
export const messagePage = (title, message) =>
  page(title, html`<p>${message}</p><p><a href="/">Continue</a></p>`)

/**
 * @param {object} shown
 * @param {import('gable').Lead[]} shown.leads
 * @param {string | null} shown.next  cursor of the next page
 * @param {import('./subscription.js').Arrival[]} shown.arrivals
 * @param {boolean} shown.subscribed
 */
export const leadsPage = ({ leads, next, arrivals, subscribed }) =>
  page(
    'Your leads',
    html`<table>
<thead><tr><th>Captured</th><th>Name</th><th>Phone</th><th>Source</th><th>Status</th></tr></thead>
<tbody>${leads.map(
      (lead) => html`<tr><td>${lead.created_at}</td><td>${nameOf(lead)}</td><td>${lead.phone}</td>
<td>${lead.source}</td><td>${lead.status}</td></tr>`,
    )}</tbody>
</table>
${leads.length === 0 ? html`<p>No leads yet.</p>` : ''}
${next === null ? '' : html`<p><a href="/?cursor=${encodeURIComponent(next)}">Older leads</a></p>`}
<h2>New leads</h2>
<p>${subscribed ? '' : 'New leads do not appear here: Gable does not deliver to the URL of this app.'}</p>
<ul id="arrivals" aria-live="polite">${arrivals.map((arrival) => html`<li>${lineOf(arrival)}</li>`)}</ul>
<form method="post" action="/disconnect"><button>Disconnect</button></form>`,
  )

/** @param {Partial<Pick<import('gable').Lead, 'first_name' | 'last_name'>> | undefined} lead */
const nameOf = (lead) => [lead?.first_name, lead?.last_name].filter(Boolean).join(' ') || 'Unknown'

/**
 * Describes an arrival in one line.
 *
 * @param {import('./subscription.js').Arrival} arrival
 */
export const lineOf = ({ occurredAt, data: { lead } }) =>
  `${occurredAt} ${nameOf(lead)}, from ${lead?.source ?? 'an unknown source'}`
