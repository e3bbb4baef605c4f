import { textOfHtml } from '#kernel/text-of-html.ts'
import type { PlacedFinding } from '../compliance/public.ts'
import { type ContentContext, scanContent } from '../content/public.ts'
import type { Message } from './message.ts'

export type Content = {
  readonly [K in 'subject' | 'body' | 'body_html' | 'template']?: Message[K] | undefined
}

/** Scans all parts of a message. Positions in HTML refer to the text that it shows. */
export function scanParts(
  { subject, body, body_html, template }: Content,
  context?: ContentContext,
): PlacedFinding[] {
  const parts = {
    subject,
    body,
    html: body_html && textOfHtml(body_html),
    template: template?.variables?.join('\n'),
  }
  return Object.entries(parts).flatMap(([field, text]) =>
    text ? scanContent(text, context).map((found) => ({ ...found, field })) : [],
  )
}
