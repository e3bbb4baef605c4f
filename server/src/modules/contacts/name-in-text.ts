/** An address of a page or a mailbox, a number, or more than one line. */
const notOfNames =
  /:\/\/|www\.|[/\u2044\u2215@\n\v\f\r\x85\u2028\u2029]|[\p{L}\p{N}]{2}[.。]\p{L}{2}|\p{Nd}{4}/iu

/** Names have joiners and accents. Between the characters of an address, no one sees them. */
const unseen = /[\p{Cf}\p{M}]/gu

const maxLength = 40

/**
 * A person's name as a text of the workspace may say it, to a person or to a model; null if that is not safe. Anyone
 * can enter `claim your $500 at https://…` as their name in a form, and the recipient would read it as the brokerage's
 * words. A name is one line of at most 40 characters, without a link, an address, or four digits in a row.
 */
export function nameInText(name: string | null): string | null {
  if (name === null || name.length > maxLength) return null
  return notOfNames.test(name.normalize('NFKC').replaceAll(unseen, '')) ? null : name
}
