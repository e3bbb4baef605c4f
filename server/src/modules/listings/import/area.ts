import { numberIn } from '#kernel/csv/cells.ts'

const squareFeetPerAcre = 43_560

/** Units of area, as people write them, and their square feet. */
const units: readonly [unit: RegExp, squareFeet: number][] = [
  [/(?:^|[^a-z])(?:acres?|acreage|ac)\.?(?![a-z])/, squareFeetPerAcre],
  [/hectares?|(?:^|[^a-z])has?(?![a-z])/, 107_639.104],
  [
    /sq(?:uare|\.)? ?(?:met(?:er|re)s?|mt?s?)\.?(?![a-z])|(?:^|[^a-z])sqm|(?:^|[^a-z])m(?:2|²|\^2)/,
    10.763_910_4,
  ],
  [/sq(?:uare|\.)? ?(?:yards?|yds?)|(?:^|[^a-z])yd(?:2|²|\^2)/, 9],
  [
    /sq(?:uare|\.)? ?(?:feet|foot|ft|f)|(?:^|[^a-z])s\.?f\.?(?![a-z])|(?:^|[^a-z])(?:feet|foot|ft|ft2|ft²)/,
    1,
  ],
]

const unitIn = (text: string): number | undefined =>
  units.find(([unit]) => unit.test(text.toLowerCase().replaceAll('_', ' ')))?.[1]

/** An area: the number of a cell, and how many square feet its unit has, if the cell or one of the `hints` says that. */
export function areaIn(
  cell: string,
  hints: readonly string[],
): { number: number | undefined; squareFeet: number | undefined } {
  const squareFeet = [cell, ...hints].map(unitIn).find((one) => one !== undefined)
  const bare = cell.replace(
    / ?(?:hectares?|has?|(?:sq(?:uare|\.)? ?)?(?:met(?:er|re)s?|m|yards?|yds?)\.?|sqm|m2|m²|m\^2|yd2|yd²)$/i,
    '',
  )
  return { number: numberIn(squareFeet === undefined || bare === '' ? cell : bare), squareFeet }
}

/** Lots are rarely of fewer square feet, and rarely of more acres. */
const surelyAcresBelow = 150
const surelyFeetFrom = 1000

/**
 * The acres of a lot. Without a unit, small numbers are acres and large ones square feet. Undefined if it could be
 * either.
 */
export function acresOfLot(number: number, squareFeet: number | undefined): number | undefined {
  const guess = number < surelyAcresBelow ? squareFeetPerAcre : 1
  const isSure = number < surelyAcresBelow || number >= surelyFeetFrom
  const unit = squareFeet ?? (isSure ? guess : undefined)
  return unit === undefined ? undefined : Math.round((number * unit * 10_000) / squareFeetPerAcre) / 10_000
}
