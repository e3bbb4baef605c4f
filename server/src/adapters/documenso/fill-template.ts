import type { Fault, NewDocument } from '../../modules/documents/ports.ts'
import { recipientsIn } from './read-envelope.ts'

/** A recipient's name in the template: its placeholder name, or else `Recipient` and its number. */
const nameOf = (recipient: Record<string, unknown>, at: number): string =>
  typeof recipient['name'] === 'string' && recipient['name'] !== ''
    ? recipient['name']
    : `Recipient ${at + 1}`

export const recipientNames = (template: Record<string, unknown>): string[] =>
  recipientsIn(template).map(nameOf)

const fold = (text: string) => text.trim().toLowerCase()

/**
 * Assigns the signers to the template's recipients: by role if the signer names one, the rest in order. Returns a fault
 * unless every recipient gets exactly one signer.
 */
export function fillTemplate(
  template: Record<string, unknown>,
  signers: NewDocument['signers'],
): { id: number; name: string; email: string }[] | Fault {
  const recipients = recipientsIn(template)
  const names = recipientNames(template)
  const list = names.length === 0 ? 'none' : names.join(', ')
  const mismatch = (message: string): Fault => ({ fault: 'signers_mismatch', message })
  if (signers.length !== recipients.length)
    return mismatch(
      `The template has ${recipients.length} recipients: ${list}. The document has ${signers.length} signers.`,
    )
  const places = new Map<number, NewDocument['signers'][number]>()
  for (const signer of signers) {
    if (signer.role === null) continue
    const wanted = fold(signer.role)
    const at = names.findIndex((name, place) => fold(name) === wanted && !places.has(place))
    if (at < 0) return mismatch(`The template has no unused recipient "${signer.role}". It has: ${list}.`)
    places.set(at, signer)
  }
  const others = signers.filter(({ role }) => role === null)
  return recipients.flatMap((recipient, at) => {
    const signer = places.get(at) ?? others.shift()
    return signer === undefined
      ? []
      : [{ id: Number(recipient['id']), name: signer.name, email: signer.email }]
  })
}
