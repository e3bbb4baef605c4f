import type { PlainResponse } from '#kernel/http/plain-route.ts'
import { type AssetName, assetPath } from './assets.ts'
import { type Html, type Part, html } from './html.ts'

export interface PageParts {
  title: string
  /** The visible heading, if it differs from the title. */
  heading?: Part
  /** The content under the heading. */
  main: Part
  /** 200 by default. */
  status?: number
  /** Shown at the top of the page: where the person is, and navigation. */
  header?: Html
  /** Wide pages hold tables; the others hold text. */
  wide?: boolean
  /** Origins or schemes, other than this server, that a form may redirect to. The browser blocks all others. */
  formTargets?: readonly string[]
  /** Style sheets besides those of every page. */
  styles?: readonly AssetName[]
  /** Run in this order once the document has been parsed. */
  scripts?: readonly AssetName[]
  /** Values of Set-Cookie. */
  cookies?: readonly string[]
}

/** A page. It loads nothing from other origins, cannot be framed, and is not cached. */
export const page = ({
  title,
  heading = title,
  main,
  status = 200,
  header,
  wide,
  formTargets = [],
  styles = [],
  scripts = [],
  cookies,
}: PageParts) =>
  plainResponse(
    status,
    {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(formTargets, scripts.length > 0),
      ...(cookies === undefined ? {} : { 'set-cookie': [...cookies] }),
    },
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Gable</title>
<link rel="stylesheet" href="${assetPath('style.css')}">
<link rel="stylesheet" href="${assetPath('parts.css')}">
${styles.map((name) => html`<link rel="stylesheet" href="${assetPath(name)}">\n`)}<link rel="icon" href="${assetPath('icon.svg')}">
${scripts.map((name) => html`<script src="${assetPath(name)}" defer></script>\n`)}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>${header ?? html`<a class="brand" href="/settings">Gable</a>`}</header>
<main id="main" class="${wide === true ? 'wide' : 'narrow'}">
<h1>${heading}</h1>
${main}
</main>
</body>
</html>
`.markup,
  )

/** A page with a short message. */
export const notice = (status: number, title: string, ...paragraphs: readonly Part[]): PlainResponse =>
  page({ status, title, main: paragraphs.map((one) => html`<p>${one}</p>`) })

/**
 * Redirects to another page by GET, whatever the method of the request was (RFC 9700, 4.12). `location` is a path on
 * this server or a full address.
 */
export const seeOther = (location: string, cookies: readonly string[] = []): PlainResponse =>
  plainResponse(303, { location, ...(cookies.length === 0 ? {} : { 'set-cookie': [...cookies] }) }, '')

const plainResponse = (status: number, headers: PlainResponse['headers'], body: string): PlainResponse => ({
  status,
  headers: {
    'cache-control': 'no-store',
    // With no-referrer, browsers would send `Origin: null` with a form, which would hide that it comes from a page of
    // this server.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    ...headers,
  },
  body,
})

const policy = (formTargets: readonly string[], scripts: boolean): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    "base-uri 'none'",
    ["form-action 'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
  ].join('; ')
