/**
 * One person’s line in two forms: as the country writes it, and as WhatsApp, or old records, still do. `{area}` and
 * `{line}` are the digits that both share.
 */
interface TwoForms {
  usual: string
  other: string
  area?: string
  line: string
  /** The other form is one of the country’s numbers, too, so a number keeps the form in which it was written. */
  bothInUse?: true
}

const countries: readonly TwoForms[] = [
  // Mexico: the 1 that mobile numbers had until 2019.
  { usual: '+52{line}', other: '+521{line}', line: String.raw`[2-9]\d{9}` },
  // Brazil: the ninth digit that mobile numbers got from 2012 on.
  {
    usual: '+55{area}9{line}',
    other: '+55{area}{line}',
    area: String.raw`[1-9]\d`,
    line: String.raw`[6-9]\d{7}`,
  },
  // Argentina: the 9 of a mobile number that is called from abroad. No two lines differ only in it.
  { usual: '+549{line}', other: '+54{line}', line: String.raw`[1-8]\d{9}`, bothInUse: true },
  // Benin: the 01 that all numbers got in 2024.
  { usual: '+22901{line}', other: '+229{line}', line: String.raw`[2-9]\d{7}` },
  // Côte d’Ivoire: the digits of the carrier that mobile numbers got in 2021. The second digit was the carrier’s before.
  { usual: '+22501{line}', other: '+225{line}', line: String.raw`[04-9][0-3]\d{6}` },
  { usual: '+22505{line}', other: '+225{line}', line: String.raw`[04-9][4-6]\d{6}` },
  { usual: '+22507{line}', other: '+225{line}', line: String.raw`[04-9][7-9]\d{6}` },
]

const pattern = (form: string, { area = '', line }: TwoForms) =>
  new RegExp(
    `^${form
      .replace('+', String.raw`\+`)
      .replace('{area}', `(?<area>${area})`)
      .replace('{line}', `(?<line>${line})`)}$`,
  )
const template = (form: string) => form.replaceAll(/[{}]/g, (brace) => (brace === '{' ? '$<' : '>'))

const rewrites = countries.map((one) => ({
  isUsual: pattern(one.usual, one),
  isOther: pattern(one.other, one),
  toUsual: template(one.usual),
  toOther: template(one.other),
  bothInUse: one.bothInUse === true,
}))

/** All forms of a number with a country code that are one person’s line, the given one first. */
export function formsOf<Form extends string>(number: Form): Form[] {
  for (const { isUsual, isOther, toUsual, toOther } of rewrites) {
    if (isUsual.test(number)) return [number, number.replace(isUsual, toOther) as Form]
    if (isOther.test(number)) return [number, number.replace(isOther, toUsual) as Form]
  }
  return [number]
}

/** The form in which records store a number. */
export const usualForm = (number: string): string => {
  const retired = rewrites.find(({ isOther, bothInUse }) => !bothInUse && isOther.test(number))
  return retired === undefined ? number : number.replace(retired.isOther, retired.toUsual)
}

/** Those forms in which records may store the number, the given one first. */
export const formsInUse = <Form extends string>(number: Form): Form[] =>
  formsOf(number).filter((form) => usualForm(form) === form)
