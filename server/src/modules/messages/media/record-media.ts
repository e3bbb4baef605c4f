import type { Tx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { reserveFile } from '../../files/public.ts'
import type { StoredMedia } from '../message-media.ts'
import type { InboundMessage } from '../ports.ts'
import { extensionOf, maxMediaPerMessage, mayBeStored, statedType } from './media-types.ts'

const maxName = 120

/** Of a file without a name, until its content shows what it is. */
const unknownExtension = 'bin'

/** What a message's files are called where there are no words. */
const words: readonly [type: RegExp, word: string][] = [
  [/^image\//, 'image'],
  [/^video\//, 'video'],
  [/^audio\//, 'audio'],
  [/vcard|directory/, 'contacts'],
]

/** The words of a message. `[image]` stands for them if it is only a picture. */
export function wordsOrFiles({ body, media = [] }: InboundMessage): string {
  const [first] = media
  if (first === undefined || body.trim() !== '') return body
  return `[${words.find(([type]) => type.test(statedType(first.contentType, first.name)))?.[1] ?? 'document'}]`
}

/**
 * Records the files of a received message, so that a job fetches them. What states a type that Gable does not store is
 * rejected.
 */
export const recordMedia = (tx: Tx, { media = [] }: InboundMessage): StoredMedia[] =>
  media.slice(0, maxMediaPerMessage).map(({ source, contentType, name: given }, index) => {
    const type = statedType(contentType, given)
    const name = nameOf(given) ?? `${index + 1}.${extensionOf(type) ?? unknownExtension}`
    const isStored = mayBeStored(type) && source !== null
    return {
      id: isStored
        ? reserveFile(tx, { name, media_type: type, scope: 'messages:read' })
        : newId(tx.clock.now()),
      content_type: type,
      size: null,
      name,
      status: isStored ? 'pending' : 'rejected',
      source: isStored ? source : null,
    }
  })

/** A file name without path separators and control characters. */
function nameOf(given: string | null): string | undefined {
  const name = Array.from((given ?? '').toWellFormed().replaceAll(/[\p{C}/\\\s]+/gu, ' '))
    .slice(0, maxName)
    .join('')
    .trim()
  return name === '' ? undefined : name
}
