import { Type } from 'typebox'
import { ValidationFailed } from '#kernel/errors.ts'
import { masked } from '#kernel/masking/masked.ts'
import { TooMuchWork, inThread } from '#kernel/threads/in-thread.ts'
import type { PlacedFinding } from '../compliance/public.ts'
import type { ContentContext } from '../content/public.ts'
import { type Content, scanParts } from './scan-parts.ts'

const scanInThread = inThread<typeof scanParts>(import.meta.resolve('./scan-parts.ts'), 'scanParts')

/** A scan takes up to ten microseconds a character. A text is scanned at once, a long email in a thread. */
const shortLength = 3000

/** What the content scan finds in all parts of a message. Throws 400 for what takes too much work to scan. */
export async function findContent(content: Content, context?: ContentContext): Promise<PlacedFinding[]> {
  const { subject, body, body_html, template } = content
  const parts = { subject, body, body_html, template }
  return JSON.stringify([parts, context]).length <= shortLength
    ? scanParts(parts, context)
    : scanInThread(parts, context).catch(unreadable)
}

function unreadable(error: unknown): never {
  if (!(error instanceof TooMuchWork)) throw error
  throw ValidationFailed([{ path: 'body', message: 'takes too long to be checked' }])
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
