import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { oneLine } from '#kernel/schemas.ts'

/** How many external IDs a contact can have. */
export const maxExternalIds = 20

const about = {
  system: 'Your name for the other system, such as `hubspot`. Lowercase letters, digits, `-`, and `_`.',
  id: 'The ID of the person there. Uppercase and lowercase letters differ.',
}

/** An external ID in a request body. */
export const ExternalIdDraft = Type.Object(
  {
    system: masked(
      'text',
      Type.String({
        pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
        maxLength: 40,
        description: about.system,
        'x-text': 'exact',
      }),
    ),
    id: masked(
      'text',
      Type.String({ minLength: 1, maxLength: 200, pattern: oneLine, description: about.id }),
    ),
  },
  { title: 'ExternalIdDraft', additionalProperties: false },
)

/** An external ID in a response, where a mask need not have the form of what it hides. */
export const ShownExternalId = Type.Object(
  {
    system: masked('text', Type.String({ description: about.system })),
    id: masked('text', Type.String({ description: about.id })),
  },
  { title: 'ExternalId' },
)
export type ExternalId = Static<typeof ShownExternalId>

const isSame = (one: ExternalId, other: ExternalId) => one.system === other.system && one.id === other.id

export const includesId = (ids: readonly ExternalId[], id: ExternalId): boolean =>
  ids.some((one) => isSame(one, id))

/** The IDs without those that are the same as an earlier one. */
export const distinctIds = (ids: readonly ExternalId[]): ExternalId[] =>
  ids.filter((id, at) => ids.findIndex((one) => isSame(one, id)) === at)
