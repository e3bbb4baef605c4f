import type { Listing } from '../listings/public.ts'
import { html } from '../pages/public.ts'
import type { Found } from './find-listings.ts'
import type { News } from './news.ts'

/** The maximum number of listings in one email. */
const maxShown = 20

interface Parts {
  /** The name of the search. */
  name: string
  /** The contact's first name. */
  firstName: string | null
  /** The agent, if there is one, and the brokerage. */
  signature: readonly string[]
}

/** Subject, text, and HTML of a digest. */
export function digestText(found: readonly Found[], { name, firstName, signature }: Parts) {
  const homes = found.slice(0, maxShown).map(linesOf)
  const more = found.length - homes.length
  const greeting = firstName === null ? 'Hello,' : `Hi ${firstName},`
  const opening = `${counted(found.length, 'listing')} with news for your search “${name}”:`
  const rest = more > 0 ? [`and ${more} more.`] : []
  const body = [
    greeting,
    opening,
    ...homes.map(({ title, lines, url }) => [title, ...lines, ...url].join('\n')),
    ...rest,
    signature.join('\n'),
  ]
  const markup = html`<!doctype html><html lang="en"><body><p>${greeting}</p><p>${opening}</p>${homes.map(
    ({ title, lines, url }) =>
      html`<p><strong>${title}</strong>${lines.map((line) => html`<br>${line}`)}${url.map(
        (one) => html`<br><a href="${one}">Virtual tour</a>`,
      )}</p>`,
  )}${rest.map((one) => html`<p>${one}</p>`)}<p>${signature.map(
    (line, place) => html`${place > 0 && html`<br>`}${line}`,
  )}</p></body></html>`
  return {
    subject: `${counted(found.length, 'listing')}: ${name}`,
    body: body.join('\n\n'),
    html: markup.markup,
  }
}

function linesOf({ listing, news }: Found) {
  const { virtual_tour_url } = listing
  return {
    title: addressOf(listing),
    lines: [factsOf(listing), newsLine(news, listing.currency)],
    url: virtual_tour_url === null ? [] : [virtual_tour_url],
  }
}

const joined = (parts: readonly (string | null)[], by: string) =>
  parts.filter((part) => part !== null && part.trim() !== '').join(by)

/** On one line, even if the parts contain line breaks. */
function addressOf(listing: Listing): string {
  const { street_number, street_name, unit_number, city, state, postal_code } = listing
  const street = joined([street_number, street_name, unit_number && `Unit ${unit_number}`], ' ')
  const address = joined([street, city, joined([state, postal_code], ' ')], ', ')
  return address === '' ? 'Address on request' : address.replaceAll(/\s+/g, ' ')
}

function factsOf({ list_price, currency, bedrooms, bathrooms_total, living_area }: Listing): string {
  return joined(
    [
      list_price && amount(list_price, currency),
      bedrooms && counted(bedrooms, 'bed'),
      bathrooms_total && counted(bathrooms_total, 'bath'),
      living_area && `${living_area.toLocaleString('en-US')} sq ft`,
    ].map((part) => part || null),
    ' · ',
  )
}

function newsLine(news: News, currency: string): string {
  if (news.kind === 'reduced') return `Price reduced from ${amount(news.from, currency)}`
  return news.kind === 'new' ? 'New' : 'Back on the market'
}

const amount = (value: number, currency: string): string =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  }).format(value)

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
