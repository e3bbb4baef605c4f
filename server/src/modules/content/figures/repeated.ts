import type { Figure } from './figure.ts'

/** How many characters before and after a figure are read, within its sentence. */
const around = 120

/**
 * Whether a text may repeat a value because the contact said it. What a contact says is not a fact about a home. A text may repeat a
 * price only as their budget, a day or an hour only as their own proposal or in a question, and a size only as the number of rooms that
 * they are looking for. It may repeat any address or phone number.
 */
export function mayRepeat(text: string, { category, values, start, end }: Figure): boolean {
  const before = text.slice(Math.max(0, start - around), start).replace(/^.*(?:[.!?](?=\s)|\n)/s, '')
  const after = /^(?:[^.!?\n]|[.!?](?!\s|$))*[.!?]*/.exec(text.slice(end, end + around))?.[0] ?? ''
  if (category === 'price') return budgetBefore.test(before) || budgetAfter.test(after)
  if (category === 'size') return values.some((value) => /^(?:bed|bath) /.test(value)) && sought.test(before)
  if (category === 'date' || category === 'time')
    return !isYear(values) && (after.includes('?') || own.test(before) || suits.test(after))
  return category === 'address' || category === 'phone'
}

const isYear = (values: readonly string[]) => values.some((value) => /^(?:year|decade) /.test(value))

const budgetBefore = /\b(?:budget|presupuesto)\W{1,3}(?:(?:of|is|de|es|up|to|around)\W{1,3}){0,2}$/i
const budgetAfter = /^\W{1,3}(?:de )?(?:budget|presupuesto)\b/i
const sought =
  /\b(?:you (?:need|want|said you (?:need|want))|you['’](?:re|d) (?:looking for|like|after)|you are looking for|looking for|your search|busca|necesita|quiere)\b/i
/** “Your Sunday”, “you said Saturday at 2”, “I'll ask Dana about Saturday”. */
const own =
  /\b(?:your|you (?:said|mentioned|asked|suggested|proposed|offered|wrote|can|could|prefer)|you['’]re (?:free|available|off)|ask(?:ed|ing)?|check(?:ing)?|request(?:ed)?|noted|pass(?:ed|ing)? (?:along|on)|let (?:\w+ ){1,2}know|su|dijo|mencion[oó]|propuso|pidi[oó]|pregunt(?:o|ar|aré)|anot(?:o|ado|é))\b/i
/** “Saturday at 2 works for us.” */
const suits =
  /\b(?:works?|worked|sounds (?:good|great|fine|perfect)|is (?:fine|good|great|perfect|ok|okay)|suits|(?:would|should|could|might) (?:be|work)|funciona|me parece|est[aá] bien|queda bien|perfecto)\b/i
