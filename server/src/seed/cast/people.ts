import type { Random } from '../random.ts'
import { firstNames, lastNames, mailHosts, towns } from './names.ts'

export interface Person {
  first_name: string
  last_name: string
  /** Under `.example`, which is reserved (RFC 2606). */
  email: string
  /** E.164, with a line number from 555-0100 to 555-0179. The numbers up to 555-0199 are reserved for fiction. */
  phone: string
}

/**
 * The fictional numbers of each area code, except the last twenty, which are used by senders and by tests of failures.
 * A larger cast reuses numbers.
 */
const allPhones = Array.from({ length: 80 }, (_, line) =>
  Object.keys(towns).map((code) => `+1${code}55501${String(line).padStart(2, '0')}`),
).flat()

/** Generates people who share no email address, and no full name either up to 10,000 people. */
export function* people(random: Random): Generator<Person, never> {
  const met = new Set<string>()
  const phones = random.sample(allPhones, allPhones.length)
  for (let n = 0; ; n++) {
    const first_name = random.pick(firstNames)
    const last_name = random.pick(lastNames)
    const name = `${plain(first_name)}.${plain(last_name)}`
    // There are about twenty thousand name pairs. Larger casts repeat names; numbers keep the addresses unique.
    const namesake = met.has(name)
    if (namesake && met.size < 10_000) continue
    met.add(name)
    const email = `${name}${namesake ? n : ''}@${random.pick(mailHosts)}`
    yield { first_name, last_name, email, phone: phones[n % phones.length] ?? '' }
  }
}

/** Keeps only letters that an email address can contain: Bąk → bak, O’Brien → obrien. */
const plain = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, (char) => ({ ł: 'l', ß: 'ss' })[char] ?? '')
