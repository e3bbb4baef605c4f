import { wordsOfHtml } from '#kernel/text-of-html.ts'
import type { PlacedFinding } from '../compliance/public.ts'
import { type ContentContext, scanContent } from '../content/public.ts'
import type { Message } from './message.ts'

export type Content = {
  readonly [K in 'subject' | 'body' | 'body_html' | 'template']?: Message[K] | undefined
}

/** Scans all parts of a message. Positions in HTML refer to its words; see `wordsOfHtml`. */
export function scanParts(
  { subject, body, body_html, template }: Content,
  context?: ContentContext,
): PlacedFinding[] {
  const parts = {
    subject,
    body,
    html:
      body_html &&
      wordsOfHtml(body_html) + (overridden.test(body_html) ? `\n${reversed(wordsOfHtml(body_html))}` : ''),
    template: template?.variables?.join('\n'),
  }
  return Object.entries(parts).flatMap(([field, text]) =>
    text ? scanContent(withReversed(text), context).map((found) => ({ ...found, field })) : [],
  )
}

/** Elements and styles that show characters in reverse order. */
const overridden = /<bdo\b|bidi-override/i

/** The text, and again what characters in it make appear in reverse order. */
function withReversed(text: string): string {
  const runs = text.split('\u202e').slice(1)
  return [text, ...runs.map((run) => reversed(run.split(/[\u202c\n]/, 1)[0] ?? ''))].join('\n')
}

const reversed = (text: string) => Array.from(text).toReversed().join('')
