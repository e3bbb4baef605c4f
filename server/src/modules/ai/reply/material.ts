import { maskText } from '#kernel/masking/mask-text.ts'
import { nameInText } from '../../contacts/public.ts'
import type { Listing } from '../../listings/public.ts'
import type { Message } from '../../messages/public.ts'
import type { Material } from './prompt.ts'
import type { WritingScene } from './read-scene.ts'

const mostTurns = 20
const mostListings = 12
const mostLetters = 1500

/** What a model is given about a contact and a conversation. */
export const materialOf = (scene: WritingScene): Material => ({
  persona: scene.persona,
  workspace: scene.workspace,
  channel: scene.channel,
  firstName: nameInText(scene.contact.first_name),
  said: conversationOf(scene),
  listings: relevant(scene).map(listingLine),
})

/** Collapses whitespace, so that untrusted text can't start a new line. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/**
 * The conversation, oldest first. Omits what a model has no need for: numbers, addresses, and the subjects of outgoing
 * emails. The subject of a response quotes the contact.
 */
const conversationOf = ({ messages, conversationId }: WritingScene) =>
  messages
    .filter((one) => conversationId !== null && one.conversation_id === conversationId && isSaid(one))
    .slice(0, mostTurns)
    .toReversed()
    .map((message) => ({
      direction: message.direction,
      isOurs: isOfPerson(message),
      text: cut(
        maskText(
          [message.direction === 'INBOUND' ? message.subject : null, message.body]
            .flatMap((part) => part ?? [])
            .join('\n'),
        ),
        mostLetters,
      ),
    }))

/**
 * Whether a person in the workspace wrote it. Automations and campaigns don't count: their texts contain the contact's
 * words, such as a name.
 */
const isOfPerson = ({ direction, source, ai_generated, resend_of }: Message) =>
  direction === 'OUTBOUND' && (source === 'user' || source === 'api') && !ai_generated && resend_of === null

/** The beginning of a text. Replaces a surrogate that the cut leaves unpaired. */
const cut = (text: string, letters: number) => text.slice(0, letters).toWellFormed()

const isSaid = ({ status, erased_at }: Message) =>
  erased_at === null && !['blocked', 'cancelled', 'pending_approval'].includes(status)

/** The listings whose street the messages mention, then the newest. */
function relevant({ listings, messages }: WritingScene): Listing[] {
  const said = messages.map(({ body }) => body?.toLowerCase() ?? '').join('\n')
  const isNamed = ({ street_name }: Listing) =>
    street_name !== null && said.includes(street_name.toLowerCase())
  return [...listings.filter(isNamed), ...listings.filter((one) => !isNamed(one))].slice(0, mostListings)
}

/** A listing as one line for a model. */
export const listingLine = (listing: Listing): string => {
  const { street_number, street_name, unit_number, city, state, list_price, currency } = listing
  const { bedrooms, bathrooms_total, living_area, year_built, public_remarks } = listing
  const parts = [
    [street_number, street_name, unit_number].flatMap((part) => part ?? []).join(' '),
    [city, state].flatMap((part) => part ?? []).join(', '),
    list_price === null
      ? null
      : `${currency === 'USD' ? '$' : `${currency} `}${list_price.toLocaleString('en-US')}`,
    bedrooms === null ? null : `${bedrooms} bedrooms`,
    bathrooms_total === null ? null : `${bathrooms_total} bathrooms`,
    living_area === null ? null : `${living_area.toLocaleString('en-US')} square feet`,
    year_built === null ? null : `built ${year_built}`,
    public_remarks === null ? null : cut(maskText(public_remarks), 400),
  ]
  return oneLine(parts.flatMap((part) => (part === null || part === '' ? [] : part)).join('; '))
}
