import { readFile } from 'node:fs/promises'
import { type Html, html, page } from '../modules/pages/public.ts'
import { type DocsPage, contents, pages, root } from './contents.ts'
import { type Rendered, render } from './render.ts'

/** A page as this server shows it: with its own base URL in the examples. */
export interface Shown extends DocsPage, Rendered {
  markdown: string
}

/** Reads and renders all pages. `origin`: the server's public URL, without a trailing slash. */
export const readPages = (origin: string): Promise<readonly Shown[]> =>
  Promise.all(
    pages.map(async (one) => {
      const text = await readFile(new URL(one.file, root), 'utf8')
      const markdown = text.replaceAll(/https:\/\/gable\.example|http:\/\/127\.0\.0\.1:8080/g, origin)
      return { ...one, markdown, ...render(one, markdown) }
    }),
  )

const bySection = (shown: readonly Shown[], item: (one: Shown) => Html): Html =>
  html`${contents.map(
    (section) => html`<h2>${section.title}</h2>
<ul>
${section.pages.map((one) => shown.filter(({ path }) => path === one.path).map(item))}
</ul>
`,
  )}`

const header = (here: string): Html => html`<a class="brand" href="/docs/">Gable docs</a>
<nav aria-label="Documentation">
<a href="/docs/"${current('/docs/', here)}>Guides</a>
<a href="/docs/api">API reference</a>
</nav>
<form class="search" role="search" hidden>
<input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off" maxlength="80">
<output></output>
<ul></ul>
</form>`

const current = (path: string, here: string) => (path === here ? html` aria-current="page"` : '')

/** A page that browsers may keep, but ask about each time. */
function docsPage(path: string, title: string, main: Html, headers: Record<string, string> = {}) {
  const made = page({
    title,
    header: header(path),
    wide: true,
    styles: ['docs.css'],
    scripts: ['docs.js'],
    main,
  })
  return { headers: { ...made.headers, 'cache-control': 'no-cache', ...headers }, body: String(made.body) }
}

/** The page at `/docs/`: what there is. */
export const overview = (shown: readonly Shown[]) =>
  docsPage(
    '/docs/',
    'Documentation',
    html`<div class="overview">
${bySection(
  shown,
  ({ path, title, summary }) => html`<li><a href="${path}">${title}</a> <span>${summary}</span></li>\n`,
)}
</div>`,
  )

/** One page, with the navigation beside it. */
export const pageOfDocs = (shown: readonly Shown[], { path, title, body, headings }: Shown) =>
  docsPage(
    path,
    title,
    html`<p class="to-contents"><a href="#contents">Contents</a></p>
<div class="docs">
<article>
${body}
</article>
<nav id="contents" aria-label="Contents">
${bySection(
  shown,
  (one) =>
    html`<li><a href="${one.path}"${current(one.path, path)}>${one.title}</a>${
      one.path === path && headings.length > 0
        ? html`<ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`)}</ul>`
        : ''
    }</li>\n`,
)}
</nav>
</div>`,
    { link: `<${path}.md>; rel="alternate"; type="text/markdown"` },
  )

/** What the search of the pages looks through. */
export const searchIndex = (shown: readonly Shown[]): { title: string; url: string; page?: string }[] =>
  shown.flatMap(({ path, title, headings, codes }) => [
    { title, url: path },
    ...[...headings, ...codes].map(({ id, text }) => ({ title: text, url: `${path}#${id}`, page: title })),
  ])

/** The contents for language models: https://llmstxt.org. */
export const llmsText = (shown: readonly Shown[], origin: string): string =>
  [
    '# Gable',
    '',
    '> A self-hosted real-estate CRM and messaging platform with a REST API, OAuth 2.0, and webhooks.',
    '',
    `The OpenAPI 3.1 document is at ${origin}/v1/openapi.json. Everything below on one page: ${origin}/llms-full.txt.`,
    ...contents.flatMap((section) => [
      '',
      `## ${section.title}`,
      '',
      ...section.pages.flatMap((one) =>
        shown
          .filter(({ path }) => path === one.path)
          .map(({ path, title, summary }) => `- [${title}](${origin}${path}.md): ${summary}`),
      ),
    ]),
    '',
  ].join('\n')

export const llmsFullText = (shown: readonly Shown[]): string =>
  shown.map(({ markdown }) => markdown).join('\n\n')
