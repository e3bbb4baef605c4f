import { type Static, Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { masked } from '#kernel/masking/masked.ts'
import { nullable } from '#kernel/schemas.ts'
import { fileLink } from '../files/public.ts'

const common = {
  id: Type.String(),
  content_type: Type.String({
    description:
      'What the content of the file is, such as `image/jpeg`. Until it is stored, what the provider states.',
  }),
  size: nullable(Type.Integer({ description: 'In bytes.' })),
  name: nullable(Type.String({ description: 'The file name.' })),
  status: Type.Enum(['pending', 'stored', 'rejected', 'unavailable'], {
    title: 'MediaStatus',
    description:
      '`pending`: Gable fetches the file from the provider. `stored`: Gable has a copy. `rejected`: the file is too large, or of a type that is not stored. `unavailable`: the provider does not have it.',
  }),
}

/** A file of a message as the row stores it. Its ID is that of the stored file. */
export const StoredMedia = Type.Object({
  ...common,
  source: nullable(Type.String({ description: 'Where the provider has it, in its own terms.' })),
})
export type StoredMedia = Static<typeof StoredMedia>

const Media = Type.Object({
  ...common,
  name: masked('hidden', common.name),
  url: masked(
    'hidden',
    nullable(
      Type.String({
        description:
          'The address of the file, created for each read. It is valid for five minutes, and as long as the credential may read messages. Null until Gable has a copy.',
      }),
    ),
  ),
})

export const MediaList = Type.Array(Media, { description: 'The pictures and other files of the message.' })

/** The files of a message for a response, with links for the requesting credential. */
export const presentMedia = (media: readonly StoredMedia[], ctx: Ctx): Static<typeof MediaList> =>
  media.map(({ source: _, ...shown }) => ({
    ...shown,
    url: shown.status === 'stored' ? (fileLink(ctx, shown.id)?.url ?? null) : null,
  }))
