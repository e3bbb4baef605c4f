import { Type } from 'typebox'

/** The largest amount, in major units. In cents, it is still an exact integer. */
const maxAmount = 1e12

/**
 * Checks the decimal text, because binary floating point is inexact: 0.1 + 0.2 is close to a multiple of a cent but
 * not equal to one.
 */
const hasCents = (amount: unknown): boolean =>
  typeof amount !== 'number' || /^\d+(\.\d{1,2})?$/.test(String(Math.abs(amount)))

/**
 * An amount of money in major units; a `currency` goes with it. Columns are `numeric(15, 2)`, whose values a
 * JavaScript number holds exactly.
 */
export const Money = (description: string) =>
  Type.Refine(
    Type.Number({
      minimum: 0,
      maximum: maxAmount,
      description: `${description} In major units, with at most two decimals.`,
    }),
    hasCents,
    () => 'must have at most two decimals',
  )

/** ISO 4217 codes in use whose currencies have two decimals or none. */
const withCents =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD YER ZAR ZMW'.split(
    ' ',
  )
const withoutCents = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')

export const Currency = Type.String({
  title: 'Currency',
  enum: [...withCents, ...withoutCents].toSorted(),
  description: 'ISO 4217 code of a currency with two decimals, or none.',
})

/** The smallest amount of a currency, in cents: 1, or 100 if the currency has no decimals. */
export const smallestAmount = (currency: string): bigint => (withoutCents.includes(currency) ? 100n : 1n)

/** An amount in cents, for arithmetic. Exact for every amount that `Money` accepts. */
export const toCents = (amount: number): bigint => BigInt(Math.round(amount * 100))

/** Cents as an amount in major units. */
export const fromCents = (cents: bigint): number => Number(cents) / 100
