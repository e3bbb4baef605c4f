import type { Random } from '../random.ts'
import { firstNames, lastNames, mailHosts, towns } from './names.ts'

export interface Person {
  first_name: string
  last_name: string
  /** Under `.example`, which is reserved (RFC 2606). */
  email: string
  /** E.164, with a line number of 555-0100 to 555-0179. All up to 555-0199 are kept free for fiction. */
  phone: string
}

/**
 * Numbers there are for fiction, without the last twenty of each area code, which senders and tests of failures have. Beyond
 * them, they come round again.
 */
const allPhones = Array.from({ length: 80 }, (_, line) =>
  Object.keys(towns).map((code) => `+1${code}55501${String(line).padStart(2, '0')}`),
).flat()

/** Generates people who share neither a full name nor an email address. */
export function* people(random: Random): Generator<Person, never> {
  const met = new Set<string>()
  const phones = random.sample(allPhones, allPhones.length)
  for (let n = 0; ; n++) {
    const first_name = random.pick(firstNames)
    const last_name = random.pick(lastNames)
    const name = `${plain(first_name)}.${plain(last_name)}`
    // There are about twenty thousand pairs of names. A larger crowd shares names; numbers make the addresses unique.
    const namesake = met.has(name)
    if (namesake && met.size < 10_000) continue
    met.add(name)
    const email = `${name}${namesake ? n : ''}@${random.pick(mailHosts)}`
    yield { first_name, last_name, email, phone: phones[n % phones.length] ?? '' }
  }
}

/** Letters that an email address can hold: Bąk → bak, O’Brien → obrien. */
const plain = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, (char) => ({ ł: 'l', ß: 'ss' })[char] ?? '')
