import { type Static, Type } from 'typebox'
import type { Issue } from '#kernel/errors.ts'
import { masked } from '#kernel/masking/masked.ts'
import { Money } from '#kernel/money.ts'
import { text } from '#kernel/records/fields.ts'
import { Timestamp, Uri, isoTime, nullable } from '#kernel/schemas.ts'

const Https = Uri({
  maxLength: 2048,
  description: 'An https address without an @. Gable stores it and never fetches it.',
})

/** The URL of a page or picture. */
export const WebAddress = { ...Https, pattern: '^https://[^\\s@]+$' }

const maxItems = 50

const caption = masked('text', nullable(text(200)))
const PhotoDraft = Type.Object(
  {
    url: WebAddress,
    order: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    caption: Type.Optional(caption),
  },
  { additionalProperties: false },
)
const Photo = Type.Object({ url: Type.String(), order: Type.Integer(), caption })
export type Photo = Static<typeof Photo>

const photosOf = (item: typeof PhotoDraft | typeof Photo) =>
  Type.Unsafe<Photo[]>(
    Type.Array(item, {
      maxItems,
      description:
        'Replaces all photos. Photos are numbered from 1, by `order` if you send it, or else in the order of the list.',
    }),
  )
export const PhotosDraft = photosOf(PhotoDraft)
export const Photos = photosOf(Photo)

/** Sorts photos and renumbers them from 1. */
export const numbered = (photos: readonly Static<typeof PhotoDraft>[]): Photo[] =>
  photos
    .map(({ url, order, caption: said = null }, index) => ({ url, caption: said, order: order ?? index + 1 }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ url, caption: said }, index) => ({ url, order: index + 1, caption: said }))

const OpenHouse = Type.Object({ starts_at: Timestamp, ends_at: Timestamp }, { additionalProperties: false })
type OpenHouse = Static<typeof OpenHouse>

export const OpenHouses = Type.Unsafe<OpenHouse[]>(
  Type.Array(OpenHouse, {
    maxItems,
    description: 'Replaces all open houses. An open house can last up to a day.',
  }),
)

/** Sorts by start, in UTC. */
export const inOrder = (openHouses: readonly OpenHouse[]): OpenHouse[] =>
  openHouses
    .map(({ starts_at, ends_at }) => ({ starts_at: isoTime(starts_at), ends_at: isoTime(ends_at) }))
    .toSorted((one, other) => (one.starts_at < other.starts_at ? -1 : 1))

const dayMs = 24 * 60 * 60_000

export const openHouseIssues = (openHouses: readonly OpenHouse[]): Issue[] =>
  openHouses.flatMap(({ starts_at, ends_at }, index) => {
    const issue = (name: string, message: string) => [{ path: `open_houses.${index}.${name}`, message }]
    if (ends_at <= starts_at) return issue('ends_at', 'must be after starts_at')
    if (Date.parse(ends_at) - Date.parse(starts_at) > dayMs)
      return issue('ends_at', 'must be within a day of starts_at')
    return openHouses[index - 1]?.starts_at === starts_at
      ? issue('starts_at', 'must not equal the start of another open house')
      : []
  })

export const PriceHistory = Type.Array(Type.Object({ list_price: Money('The list price.'), at: Timestamp }), {
  description: 'The last 100 list prices with the time at which each was set, oldest first.',
})
export type PriceHistory = Static<typeof PriceHistory>

const Flag = Type.Object({
  code: Type.String({ description: 'The type of rule, such as `content_fair_housing`.' }),
  category: Type.String({ description: 'The protected characteristic, or `steering`.' }),
  text: masked('text', Type.String({ description: 'The flagged words.' })),
  start: Type.Integer({ description: 'The position in the remarks at which the words begin.' }),
  end: Type.Integer(),
})
export type Flag = Static<typeof Flag>
export const Flags = Type.Array(Flag)

const Acknowledgment = Type.Object({
  by: Type.Object({ type: Type.String(), id: Type.String() }),
  at: Timestamp,
  reason: masked('text', Type.String()),
})

export const FairHousing = Type.Object(
  {
    status: Type.Enum(['clear', 'review', 'acknowledged'], {
      description:
        '`review`: a person must acknowledge the flags, or the remarks must change, before the listing can become active or coming soon.',
    }),
    flags: Flags,
    rule_set: Type.String({ description: 'The version of the rules.' }),
    acknowledged: Type.Union([Acknowledgment, Type.Null()]),
  },
  { description: 'The words that the fair housing rules flag in `public_remarks`.' },
)
export type FairHousing = Static<typeof FairHousing>
