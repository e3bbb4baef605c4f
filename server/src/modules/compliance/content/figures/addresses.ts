import type { Token } from './numbers.ts'

const suffixes = new Set(
  'street st avenue ave road rd drive dr lane ln court ct boulevard blvd way place pl terrace ter circle cir parkway pkwy highway hwy trail trl loop square sq row alley plaza crossing avenida'.split(
    ' ',
  ),
)
const directions = new Set('n s e w ne nw se sw north south east west norte sur este oeste'.split(' '))
const spanish = new Set('calle avenida av avda paseo carrera camino boulevard calzada'.split(' '))
const notNames = new Set(
  'from to of the on in at near blocks block minutes minute miles mile homes bedrooms bedroom bed baths bath houses units am pm a an and or is off down away feet square percent acres dollars'.split(
    ' ',
  ),
)

/** A street address by its number: the number, and the first word of the street's name. */
export function addressNumberAt(
  tokens: readonly Token[],
  at: number,
): { value: string; from: number; to: number } | undefined {
  const { value, text } = tokens[at] as Token
  if (/^\d{5}$/.test(text) && isZipAfter(tokens, at)) return { value: `zip ${text}`, from: at, to: at }
  if (!/^\d+$/.test(text)) return undefined
  const named = spanishStreetBefore(tokens, at)
  if (named !== undefined) return { value: `${value} ${named.name}`, from: named.from, to: at }
  let name: string | undefined
  for (let place = at + 1; place < tokens.length && place <= at + 6; place++) {
    const word = tokens[place] as Token
    if (word.text === '.' && directions.has(tokens[place - 1]?.text ?? '')) continue
    if (word.kind === 'number' && name === undefined && place === at + 1) return undefined
    if (word.kind === 'sign' || notNames.has(word.text)) return undefined
    if (name === undefined && directions.has(word.text)) continue
    if (name === undefined && spanish.has(word.text) && tokens[place + 1]?.kind === 'word') {
      const next = tokens[place + 1] as Token
      return notNames.has(next.text) ? undefined : { value: `${value} ${next.text}`, from: at, to: place + 1 }
    }
    if (name !== undefined && suffixes.has(word.text))
      return { value: `${value} ${name}`, from: at, to: place }
    name ??= word.kind === 'number' ? String(word.value) : word.text
  }
  return undefined
}

/** `ZIP code 60614`, `código postal 60614`, `Evanston, IL 60614`. */
function isZipAfter(tokens: readonly Token[], at: number): boolean {
  const [last, before] = [tokens[at - 1]?.text ?? '', tokens[at - 2]?.text ?? '']
  return (
    last === 'zip' ||
    (before === 'zip' && last === 'code') ||
    last === 'postal' ||
    (/^[a-z]{2}$/.test(last) && before === ',')
  )
}

/** `calle Roble 215`, `Avenida Juárez #45`. */
function spanishStreetBefore(
  tokens: readonly Token[],
  at: number,
): { name: string; from: number } | undefined {
  for (let from = at - 2; from >= 0 && from >= at - 6; from--) {
    const word = tokens[from] as Token
    if (word.kind === 'sign' && word.text !== '#') return undefined
    const name = tokens[from + 1]
    if (spanish.has(word.text) && name?.kind === 'word' && !notNames.has(name.text))
      return { name: name.text, from }
  }
  return undefined
}
