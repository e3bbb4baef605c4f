import { Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { textOfHtml } from '#kernel/text-of-html.ts'
import type { PlacedFinding } from '../compliance/public.ts'
import { type ContentContext, scanContent } from '../content/public.ts'
import type { Message } from './message.ts'

type Content = Partial<Pick<Message, 'subject' | 'body' | 'body_html' | 'template'>>

/** What the content scan finds in all parts of a message. Positions in HTML refer to the text that it shows. */
export function findContent(
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

export const ContentFindings = Type.Array(
  Type.Object({
    code: Type.String({
      description: '`content_fair_housing`, `content_unsupported` or `content_prohibited`.',
    }),
    category: Type.String({
      description:
        'The protected characteristic, the kind of figure, or the topic that an AI leaves to people.',
    }),
    field: Type.String({ description: 'Where the words appear: `subject`, `body`, `html`, or `template`.' }),
    text: masked('text', Type.String({ description: 'The words in question.' })),
    start: Type.Integer({ description: 'The position in that text at which the words begin.' }),
    end: Type.Integer(),
  }),
)
