import { readFileSync } from 'node:fs'
import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { formsOf, usualForm } from './number-forms.ts'

declare const e164: unique symbol

/** A phone number in E.164 format without an extension, such as `+13125550123`. Create one with `toE164`. */
export type E164 = string & { readonly [e164]: true }

/** An area code of the United States: its state, and every time zone that it covers. */
export interface AreaCode {
  state: string
  zones: readonly string[]
}

/** Area codes of the United States and its territories, as published by their administrator. */
export const { codes: usAreaCodes } = JSON.parse(
  readFileSync(new URL('area-codes.json', import.meta.url), 'utf8'),
) as { codes: Readonly<Record<string, AreaCode>> }

/** Area codes without a place: toll-free, machine, and personal numbers. */
const placeless = /^(?:8(?:00|22|33|44|55|66|77|88)|5(?:00|2\d|33|44|66|77|88)|700|710|900)$/
export const isPlaceless = (areaCode: string): boolean => placeless.test(areaCode)

/** A phone number as it was written. */
interface WrittenPhone {
  number: E164
  /** Digits only. */
  extension: string | null
  /** Whether a person may have the number. Otherwise, it only has the format of one. */
  isAssigned: boolean
}

/** The longest text that is read: a number with a scheme, an extension, and labels. */
const maxLength = 120

/**
 * Reads a phone number as people and programs write it: with an extension, a label such as `(cell)`, a scheme such as
 * `tel:`, full-width digits, invisible marks, and any punctuation. A number without a country code counts as a US
 * number. A number that WhatsApp or old records write in another form is the number in its country's usual form. Undefined
 * if the text has other words, or no number.
 */
function readPhone(text: string): WrittenPhone | undefined {
  if (text.length > maxLength) return undefined
  const plain = withoutLabels(plainText(text))
  const read = parse(plain)
  if (read !== undefined && isInUse(read)) return written(read, true)
  // WhatsApp and some forms leave out the plus.
  const abroad =
    /^\d{2}[\d ().-]{9,}$/.test(plain) && !/^\d{3}[ .-]\d{3}[ .-]?\d{4}|^\d{10}\D/.test(plain)
      ? parse(`+${plain}`)
      : undefined
  if (abroad !== undefined && isInUse(abroad)) return written(abroad, true)
  return read?.isPossible() === true ? written(read, false) : undefined
}

const written = (read: PhoneNumber, isAssigned: boolean): WrittenPhone => ({
  number: read.number as string as E164,
  extension: read.ext ?? null,
  isAssigned,
})

const options = { defaultCountry: 'US', extract: false } as const

/** Parses a text; of a number that WhatsApp writes in another way, returns the number as its country writes it. */
function parse(text: string): PhoneNumber | undefined {
  const read = parsePhoneNumberFromString(text, options)
  const usual = read && usualForm(read.number)
  if (read === undefined || usual === read.number) return read
  const again = parsePhoneNumberFromString(usual ?? '', options)
  if (again !== undefined && read.ext !== undefined) again.setExt(read.ext)
  return again
}

/** Accepts US area codes in service that the library does not know. */
function isInUse(read: PhoneNumber): boolean {
  const number = read.number as string as E164
  if (read.countryCallingCode !== '1') return read.isValid()
  return areaOf(number) !== undefined && (read.isValid() || areaCodeOf(number) !== undefined)
}

/** One way to write punctuation and digits; without invisible marks, quotation marks, and schemes. */
function plainText(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Mn}\p{Me}"'`´‘’‚‛“”„‟«»‹›<>]/gu, '')
    .replaceAll(/[\p{Pd}−·•∙‧・_~|]/gu, '-')
    .replaceAll(/[{[]/g, '(')
    .replaceAll(/[}\]]/g, ')')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll(/%2b/gi, '+')
    .replaceAll(/\s+|%20/gu, ' ')
    .trim()
    .replace(/^(?:tel|phone|callto|sms|smsto|whatsapp|facetime):(?:\/\/)?/i, '')
    .replace(/^(?:https?:\/\/)?wa\.me\/(?=\d)/i, '+')
    .replace(/;phone-context=(?!\+)[^;]*/i, '')
    .replace(/^(\+?\d{10,15})\.0+$/, '$1')
  return plain
    .replace(/^\+{2,}/, '+')
    .replace(/^\(\+(\d{1,3})\)/, '+$1 ')
    .replace(/^00(?=[1-9])/, '+')
}

/** Words that say what kind of number it is. A word that says whose it is, such as `wife`, is none of them. */
const labels = new Set(
  `cell cellular cellphone mobile mob home work wk office ofc business biz phone ph tel telephone number num main
  direct personal primary secondary other fax text sms voice whatsapp wa landline day evening cel celular movil móvil
  no nr line us usa iphone android preferred only voicemail vm casa trabajo oficina telefono teléfono numero número portable bureau téléphone handy m c h w o t p`.split(
    /\s+/,
  ),
)
const extensions = new Set(
  'extension extensión extn exten ext ex x p w int interno anexo ramal poste durchwahl доб'.split(' '),
)

/** Removes labels, and writes an extension as the library reads it. A text with another word stays as it is. */
function withoutLabels(text: string): string {
  const tokens = text.match(/\p{L}+|\d+|[^\p{L}\d]+/gu) ?? []
  const lastNumber = tokens.findLastIndex((token) => /^\d/.test(token))
  let number = ''
  let extension = ''
  for (const [at, token] of tokens.entries()) {
    const word = token.toLowerCase()
    const isWord = /^\p{L}/u.test(token)
    const startsExtension = extensions.has(word) && /\d.*\d.*\d/.test(number) && at < lastNumber
    const isLabel = labels.has(word) || (extensions.has(word) && at > lastNumber)
    if (isWord && !startsExtension && !isLabel) return text
    if (startsExtension) extension = ' ext. '
    else if (extension === '') number += isWord ? ' ' : token
    else if (/^\d/.test(token)) extension += token
  }
  const bare = number.replaceAll(/\( *\)/g, ' ').replace(/^[^\d+(]+/, '')
  let end = bare.length
  while (end > 0 && !/[\d#]/.test(bare.charAt(end - 1))) end--
  return bare.slice(0, end) + extension
}

/** The number in a text, if a person may have it; undefined for anything else. Drops an extension. */
export function toE164(text: string): E164 | undefined {
  const read = readPhone(text)
  return read?.isAssigned === true ? read.number : undefined
}

/** Like `toE164`, but accepts every number with a valid format, assigned or not. */
export const toDialable = (text: string): E164 | undefined => readPhone(text)?.number

/**
 * All forms of the number in a text that are one person’s line, a valid one first: WhatsApp reports `+5215541637201` for
 * `+52 55 4163 7201`. Empty for text that is no number.
 */
export function numberForms(text: string): E164[] {
  const number = toDialable(text)
  const forms = number === undefined ? [] : formsOf(number)
  return forms.toSorted((one, other) => Number(toE164(other) === other) - Number(toE164(one) === one))
}

/** A phone number in E.164, and its extension, as records store them beside what was written. */
export function phoneParts(text: string | null): { phone_e164: E164 | null; phone_extension: string | null } {
  const read = text === null ? undefined : readPhone(text)
  const { number, extension } = read?.isAssigned === true ? read : { number: null, extension: null }
  return { phone_e164: number, phone_extension: extension }
}

/** The digits of a number as its country writes it, such as `02079460958` for `+442079460958`. */
export const nationalForm = (number: E164): string =>
  parsePhoneNumberFromString(number)?.formatNational().replaceAll(/\D/g, '') ?? ''

/**
 * The area code of a number that begins with +1. Undefined for any other number, and for one that no
 * one can have: in an area with a place, 911 and its like are services, never an exchange.
 */
export function areaOf(number: string): string | undefined {
  const [, area, exchange = ''] = /^\+1([2-9]\d\d)([2-9]\d\d)\d{4}$/.exec(number) ?? []
  return area !== undefined && exchange.endsWith('11') && !isPlaceless(area) ? undefined : area
}

/** The area code of a US number; undefined for all others. */
export function areaCodeOf(number: E164): string | undefined {
  const code = areaOf(number)
  return code !== undefined && Object.hasOwn(usAreaCodes, code) ? code : undefined
}

/** The two-letter state of an area code. */
export const stateOfAreaCode = (code: string): string | undefined =>
  Object.hasOwn(usAreaCodes, code) ? usAreaCodes[code]?.state : undefined
