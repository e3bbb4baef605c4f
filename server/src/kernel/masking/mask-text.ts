import { isId } from '../ids.ts'
import { legibleText } from './legible-text.ts'
import { maskPhone } from './mask-phone.ts'

/**
 * Masks the phone numbers and email addresses in free text, however they are written: percent-encoded, as HTML
 * entities, in full-width characters, or with any punctuation that people put between digits. Keeps dates, times of
 * day, amounts such as 1,250,000, and IDs. Takes time linear in the length of the text.
 */
export function maskText(text: string): string {
  if (!mayNeedMasking(text)) return text
  const { legible, startOf, endOf } = legibleText(text)
  const finds = [...findEmails(legible), ...findNumbers(legible)].toSorted((a, b) => a.start - b.start)
  let masked = ''
  let done = 0
  for (const { start, end, first, number } of finds) {
    if (startOf(start) < done) continue
    masked += text.slice(done, startOf(start))
    masked += number === undefined ? `${text.slice(startOf(first), endOf(first))}***` : maskPhone(number)
    done = endOf(end)
  }
  return masked + text.slice(done)
}

/** Matches masks: `******0123` or `a***@`. */
const mask = /\*{6}|\*{3}@/

/** Whether a text contains a mask of a phone number or an email address. */
export const isMasked = (text: string): boolean => mask.test(text)

/** A match in a legible text: a phone number, or the local part of an email address, whose first character is kept. */
interface Find {
  start: number
  /** Index of the last character. */
  end: number
  first: number
  number?: string
}

const minDigits = 7

/** A fast check: most texts contain neither and are returned unchanged. */
function mayNeedMasking(text: string): boolean {
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    if (isDigit(text, i) ? ++digits === minDigits : standsForOthers(text.charCodeAt(i))) return true
  }
  return false
}

/**
 * `@`, and characters that may stand for it or for a digit: `%`, `&`, and all non-ASCII characters except the Latin
 * letters from À to ɏ.
 */
const standsForOthers = (code: number) =>
  code === 64 || code === 37 || code === 38 || (code >= 0x80 && (code < 0xc0 || code > 0x24f))

const isDigit = (text: string, at: number) => {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

const notLocal = /[\s@<>()[\],;:"/?=&#]/
const inDomain = /[\p{L}\p{N}.-]/u

/** Finds each @ that has text before it and a domain with a dot after it. Examines each character at most twice. */
function findEmails(text: string): Find[] {
  const finds: Find[] = []
  for (let at = text.indexOf('@'), last = -1; at !== -1; last = at, at = text.indexOf('@', at + 1)) {
    let start = at
    while (start - 1 > last && !notLocal.test(text.charAt(start - 1))) start--
    let end = at + 1
    let labels = 0
    for (; end < text.length && inDomain.test(text.charAt(end)); end++)
      if (text.charAt(end - 1) === '.' && text.charAt(end) !== '.' && end > at + 2) labels++
    if (start < at && labels > 0) finds.push({ start, end: at - 1, first: start })
  }
  return finds
}

/** Characters that people write between the digits of a phone number. */
const separator = /[\s().\-/_·•‧∙・,:~*+|\\'−\p{Pd}]/u

/** Finds runs of at least seven digits, with or without separators between them. Examines each character once. */
function findNumbers(text: string): Find[] {
  const finds: Find[] = []
  for (let at = 0; at < text.length; at++) {
    if (!isDigit(text, at)) continue
    const start = at
    let end = at
    let digits = 0
    let stars = 0
    for (; at < text.length; at++) {
      if (isDigit(text, at)) {
        digits++
        end = at
        stars = 0
      } else if (!separator.test(text.charAt(at))) break
      else if (text.charAt(at) === '*' && ++stars === 6) break
    }
    const run = text.slice(start, end + 1)
    if (digits < minDigits || isDateOrAmount(run) || isInId(text, start, end)) continue
    const opened = start > 0 && text.charAt(start - 1) === '(' ? start - 1 : start
    const signed = opened > 0 && text.charAt(opened - 1) === '+' ? opened - 1 : opened
    finds.push({ start: signed, end, first: signed, number: text.slice(signed, end + 1) })
  }
  return finds
}

/** Whether these characters are within an ID, whose random part may have seven digits in a row. */
function isInId(text: string, start: number, end: number): boolean {
  let [from, to] = [start, end + 1]
  while (to - from <= idLength && isOfId(text, from - 1)) from--
  while (to - from <= idLength && isOfId(text, to)) to++
  return isId(text.slice(from, to))
}

const idLength = 25
const isOfId = (text: string, at: number) => /^[a-z0-9]$/.test(text.charAt(at))

const day =
  '(?:19|20)\\d\\d-(?:0\\d|1[0-2])-(?:[0-2]\\d|3[01])|(?:0?\\d|1[0-2])/(?:[0-2]?\\d|3[01])/(?:19|20)\\d\\d'
const time = '(?:[01]?\\d|2[0-4]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?(?:[+-]\\d\\d:?\\d\\d)?'
const amount = '\\d{1,3}(?:,\\d{3}){1,2}(?:\\.\\d\\d)?'
const dateOrAmount = new RegExp(
  `^(?:${day}|${time}|${amount})(?:[ ,–-]{1,3}(?:${day}|${time}|${amount})){0,5}$`,
)

/** Whether the run consists only of dates, times of day, and amounts, whatever else it could be. */
const isDateOrAmount = (run: string) => run.length <= 120 && dateOrAmount.test(run)
