import { type E164, toDialable, toE164 } from './phone.ts'

/**
 * The numbers of Mexico, Argentina and Brazil that WhatsApp writes in another way than their countries do now: with the 1
 * that Mexican mobile numbers had until 2019, with the 9 of Argentine mobile numbers that are called from abroad, and
 * without the ninth digit that Brazilian mobile numbers got. Each pattern has one group for each part that both forms share.
 */
const otherForms: readonly (readonly [written: RegExp, form: string])[] = [
  [/^\+521([1-9]\d{9})$/, '+52$1'],
  [/^\+52([2-9]\d{9})$/, '+521$1'],
  [/^\+549([1-9]\d{9})$/, '+54$1'],
  [/^\+54([1-8]\d{9})$/, '+549$1'],
  [/^\+55([1-9]\d)9([6-9]\d{7})$/, '+55$1$2'],
  [/^\+55(?<area>[1-9]\d)(?<number>[6-9]\d{7})$/, '+55$<area>9$<number>'],
]

/**
 * All forms of one person’s number, the valid one first: WhatsApp reports `+5215541637201` for `+52 55 4163 7201`. Empty
 * for text that is no number.
 */
export function numberForms(text: string): E164[] {
  const written = text.trim().replaceAll(/[\s().-]/g, '')
  const plain = otherForms.some(([pattern]) => pattern.test(written)) ? (written as E164) : toDialable(text)
  if (plain === undefined) return []
  const other = otherForms.find(([pattern]) => pattern.test(plain))
  const forms = other === undefined ? [plain] : [plain, plain.replace(other[0], other[1]) as E164]
  return forms.toSorted((a, b) => Number(toE164(b) !== undefined) - Number(toE164(a) !== undefined))
}
