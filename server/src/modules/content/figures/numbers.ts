/** English and Spanish number words, without accents, as `word value`. */
const values = new Map<string, number>(
  (
    'zero 0,one 1,two 2,three 3,four 4,five 5,six 6,seven 7,eight 8,nine 9,ten 10,eleven 11,twelve 12,thirteen 13,fourteen 14,' +
    'fifteen 15,sixteen 16,seventeen 17,eighteen 18,nineteen 19,twenty 20,thirty 30,forty 40,fifty 50,sixty 60,seventy 70,' +
    'eighty 80,ninety 90,dos 2,tres 3,cuatro 4,cinco 5,seis 6,siete 7,ocho 8,nueve 9,diez 10,once 11,doce 12,trece 13,catorce 14,' +
    'quince 15,dieciseis 16,diecisiete 17,dieciocho 18,diecinueve 19,veinte 20,veintiun 21,veintiuno 21,veintidos 22,' +
    'veintitres 23,veinticuatro 24,veinticinco 25,veintiseis 26,veintisiete 27,veintiocho 28,veintinueve 29,treinta 30,' +
    'cuarenta 40,cincuenta 50,sesenta 60,setenta 70,ochenta 80,noventa 90,cien 100,ciento 100,doscientos 200,doscientas 200,' +
    'trescientos 300,trescientas 300,cuatrocientos 400,cuatrocientas 400,quinientos 500,quinientas 500,seiscientos 600,' +
    'setecientos 700,ochocientos 800,novecientos 900,half 0.5,medio 0.5,media 0.5,first 1,second 2,third 3,fourth 4,fifth 5,' +
    'sixth 6,seventh 7,eighth 8,ninth 9,tenth 10,primero 1'
  )
    .split(',')
    .map((pair) => pair.split(' ') as [string, string])
    .map(([word, value]) => [word, Number(value)]),
)
const factors = new Map(
  Object.entries({
    hundred: 100,
    thousand: 1000,
    mil: 1000,
    k: 1000,
    grand: 1000,
    million: 1e6,
    millions: 1e6,
  }),
)
for (const word of ['thouzand', 'thousend', 'thousnd', 'tousand', 'thosand']) factors.set(word, 1000)
for (const word of ['hunderd', 'hundered', 'hundrid', 'hundread']) factors.set(word, 100)
for (const word of ['millon', 'millones', 'mm', 'm']) factors.set(word, 1e6)

/** Whether a word is a number or part of one. */
export const isNumberWord = (word: string): boolean => values.has(word) || factors.has(word)

/** A number, a word without accents, or a sign, with its position in the text. */
export interface Token {
  kind: 'number' | 'word' | 'sign'
  /** In lower case. */
  text: string
  value: number
  start: number
  end: number
  /** Whether the number has a word or letter for thousand or million: `485k`. */
  isScaled: boolean
}

const ascii = /^[\0-\x7f]*$/
const asciiPattern = /(?<![\w.])\.\d+|\d+(?:[.,]\d+)*|[a-z]+(?:'[a-z]+)*|[^\sa-z\d]/gi
const pattern = /(?<![\p{L}\d.])\.\d+|\d+(?:[.,]\d+)*|\p{L}+(?:['’]\p{L}+)*|[^\s\p{L}\d]/gu

/** Splits a text into tokens. A number in words becomes one number token: `four hundred fifty thousand`. */
export function tokensOf(text: string): Token[] {
  const found: Token[] = []
  for (const match of text.matchAll(ascii.test(text) ? asciiPattern : pattern)) {
    const [raw] = match
    const start = match.index
    const end = start + raw.length
    const first = raw.charCodeAt(0)
    if ((first > 47 && first < 58) || (first === 46 && raw.length > 1))
      found.push({ kind: 'number', text: raw, value: readNumber(raw), start, end, isScaled: false })
    else if (first > 127 ? /^\p{L}/u.test(raw) : (first | 32) > 96 && (first | 32) < 123) {
      const lower = raw.toLowerCase()
      const word = /^[a-z]+$/.test(lower) ? lower : lower.normalize('NFD').replaceAll(/[\p{M}'’]/gu, '')
      found.push({ kind: 'word', text: word, value: Number.NaN, start, end, isScaled: false })
    } else found.push({ kind: 'sign', text: raw, value: Number.NaN, start, end, isScaled: false })
  }
  return merged(found)
}

/** Points and commas before groups of three digits are separators; any others are decimal points. */
function readNumber(raw: string): number {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(raw)) return Number(raw.replaceAll(',', ''))
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(raw)) return Number(raw.replaceAll('.', '').replace(',', '.'))
  return Number(raw.replace(',', '.'))
}

const joining = new Set(['and', 'y', 'con'])

function merged(tokens: readonly Token[]): Token[] {
  const result: Token[] = []
  for (let at = 0; at < tokens.length;) {
    const first = tokens[at] as Token
    const isWord = values.has(first.text)
    if (first.kind !== 'number' && !isWord && !(first.text === 'mil' && tokens[at - 1]?.text !== 'por')) {
      result.push(first)
      at++
      continue
    }
    let [total, group] = [0, first.kind === 'number' ? first.value : (values.get(first.text) ?? 1)]
    if (first.text === 'mil') [total, group] = [1000, 0]
    let [end, isScaled, isRead] = [at, first.text === 'mil', false]
    for (let next = at + 1; next < tokens.length; next++) {
      const { text, kind } = tokens[next] as Token
      const factor = kind === 'word' ? factors.get(text) : undefined
      const value = values.get(text)
      const isGlued = tokens[next]?.start === tokens[next - 1]?.end
      // `half a million`
      if (text === 'a' && group === 0.5 && tokens[next + 1]?.text === 'million') continue
      if (
        factor !== undefined &&
        (factor !== 1e6 || text.length > 2 || isGlued) &&
        (text !== 'k' || isGlued)
      ) {
        group = (group === 0 ? 1 : group) * factor
        if (factor >= 1000) [total, group, isScaled] = [total + group, 0, true]
      } else if (value !== undefined && (isWord || isScaled) && (value < lowest(group) || value === 0.5))
        group += value
      // `sixteen hundred`, but also `one thousand six fifty`
      else if (value !== undefined && isWord && isSpoken(group, value, total))
        [group, isRead] = [group * 100 + value, true]
      else if (text === '-' && isWord && goesOn(tokens, next + 1, group, total)) continue
      else if (joining.has(text) && followsOn(tokens, next + 1, group)) {
        if (tokens[next + 1]?.text === 'a') next++
        continue
      } else break
      end = next
    }
    const last = tokens[end] as Token
    const read = {
      kind: 'number' as const,
      text: isRead ? String(total + group) : first.text,
      value: total + group,
    }
    result.push({ ...read, start: first.start, end: last.end, isScaled })
    at = end + 1
  }
  return result
}

/** The upper bound, exclusive, for a number word that continues the number so far: `forty five`, `four hundred five`. */
const lowest = (group: number) => {
  if (group === 0) return 1000
  if (group % 100 === 0) return 100
  return group % 10 === 0 && group % 100 >= 20 ? 10 : 0
}

/** `six fifty` after a thousand, or `nineteen seventy`, but not `ten thirty`, which is a time. */
const isSpoken = (group: number, value: number, total: number) =>
  Number.isInteger(group) &&
  (total >= 1000 ? group >= 1 && group <= 9 : group >= 13 && group <= 20) &&
  value >= 10 &&
  value < 100

/** After a hyphen: `forty-five`, `one-thousand-six-fifty`, but not `one thousand-two thousand`. */
function goesOn(tokens: readonly Token[], at: number, group: number, total: number): boolean {
  const [next, after] = [tokens[at]?.text ?? '', tokens[at + 1]?.text ?? '']
  if (values.has(next)) return group >= 13 || (total >= 1000 && (factors.get(after) ?? 0) < 1000)
  return group > 0 && (factors.get(next) ?? 1e6) < 1e6
}

/** After “and”: `two and a half`, `one hundred and five`, `treinta y cinco`. */
function followsOn(tokens: readonly Token[], at: number, group: number): boolean {
  const next = tokens[at]?.text === 'a' ? tokens[at + 1] : tokens[at]
  const value = values.get(next?.text ?? '')
  return value === 0.5 || (value !== undefined && group >= 20 && value < lowest(group))
}
