import { Marked, type Token, type Tokens } from 'marked'
import type { Html } from '../modules/pages/public.ts'
import { type DocsPage, pageOf, root } from './contents.ts'

/** A heading of a page, or an error code of its table. */
export interface Anchor {
  id: string
  text: string
}

export interface Rendered {
  title: string
  /** Everything below the title. */
  body: Html
  /** The first sentence, as plain text. */
  summary: string
  headings: readonly Anchor[]
  /** The error codes that the page explains. */
  codes: readonly Anchor[]
}

/** Renders the Markdown of a page. The text is from the repository, so its markup is trusted. */
export function render({ file }: DocsPage, markdown: string): Rendered {
  const headings: Anchor[] = []
  const codes: Anchor[] = []
  const ids = new Set<string>()
  let title = ''
  const marked = new Marked({
    renderer: {
      heading({ depth, tokens }) {
        const text = plain(tokens)
        const content = this.parser.parseInline(tokens)
        if (depth === 1) {
          title = text
          return ''
        }
        const id = unused(slug(text), ids)
        if (depth <= 3) headings.push({ id, text })
        return `<h${depth} id="${id}"><a href="#${id}">${content}</a></h${depth}>\n`
      },
      link({ href, title: hint, tokens }) {
        const content = this.parser.parseInline(tokens)
        const target = targetOf(href, file)
        if (target === undefined) return content
        return `<a href="${target}"${hint ? ` title="${hint}"` : ''}>${content}</a>`
      },
      code: ({ text, lang = '' }) =>
        `<pre tabindex="0"${lang === '' ? '' : ` data-language="${lang}"`}><code>${escaped(text)}</code></pre>\n`,
      table({ header, rows }: Tokens.Table) {
        const cells = (row: readonly Tokens.TableCell[], tag: string) =>
          row
            .map(({ text, tokens }) => {
              const named = text === '' ? 'td' : tag
              return `<${named}>${this.parser.parseInline(tokens)}</${named}>`
            })
            .join('')
        const lines = rows.map((row) => {
          const code = header[0]?.text === 'Code' ? /^`(\w+)`$/.exec(row[0]?.text ?? '')?.[1] : undefined
          if (code !== undefined) codes.push({ id: unused(code, ids), text: code })
          return `<tr${code === undefined ? '' : ` id="${code}"`}>${cells(row, 'td')}</tr>\n`
        })
        const head = header.some(({ text }) => text !== '')
          ? `<thead><tr>${cells(header, 'th')}</tr></thead>`
          : ''
        return `<div class="scroll" tabindex="0"><table>${head}<tbody>\n${lines.join('')}</tbody></table></div>\n`
      },
    },
  })
  const markup = marked.parse(markdown, { async: false })
  return { title, body: { markup }, summary: summaryOf(marked.lexer(markdown)), headings, codes }
}

/** Where a link of a file leads on this server; undefined if the target is in the repository alone. */
function targetOf(href: string, file: string): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href
  const { pathname, hash } = new URL(href, new URL(file, root))
  const target = pageOf(decodeURIComponent(pathname.slice(root.pathname.length)))
  return target && target.path + hash
}

function summaryOf(tokens: readonly { type: string }[]): string {
  const first = tokens.find((token): token is Tokens.Paragraph => token.type === 'paragraph')
  return plain(first?.tokens ?? []).replace(/(?<=\.) .*/, '')
}

/** The text without its markup. */
const plain = (tokens: readonly Token[]): string => tokens.map(textOf).join('').replaceAll('\n', ' ')

function textOf(token: Token): string {
  if ('tokens' in token && token.tokens !== undefined) return plain(token.tokens)
  return 'text' in token ? token.text : ' '
}

/** The anchor of a heading, as GitHub makes it. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

function unused(id: string, ids: Set<string>): string {
  let free = id
  for (let again = 1; ids.has(free); again++) free = `${id}-${again}`
  ids.add(free)
  return free
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
