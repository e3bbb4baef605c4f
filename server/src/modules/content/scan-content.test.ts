import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codePoint } from '#test/support/code-point.ts'
import type { Category } from './finding.ts'
import { scanContent } from './scan-content.ts'

/** Sentences that state a preference, a limit, or who lives somewhere, by category. */
const flagged: Record<Category, readonly string[]> = {
  familial_status: [
    'No kids.',
    'Great for a growing family',
    'Perfect for your family',
    'Lots of young families on the block',
    'Adults only building',
    'Not suitable for children.',
    'Children are not allowed',
    "We don't rent to families with children",
    'No more than two children, please',
    '1 child max',
    'A family-friendly neighborhood',
    'No kids allowed regardless of age',
    'No kids, ask your agent about it',
    'We are an equal housing opportunity broker in a quiet building with no kids',
    'Children are not allowed to live here',
    "We can't offer this unit to families with children",
    'No se aceptan niños',
    'Solo adultos',
  ],
  race_or_national_origin: [
    'Whites only',
    'No blacks',
    'Asian family preferred',
    'This is a Hispanic neighborhood',
    'A racially mixed block',
    'English speakers only',
    'Must speak English',
    'No immigrants',
    'American citizens only',
    'Deben hablar inglés',
    'Barrio mayormente latino',
  ],
  religion: [
    'A Christian area close to everything',
    'Christian home',
    'Traditional Christian values',
    'No Muslims',
    'Ideal for Jewish families',
    'God-fearing neighbors',
    'Vecindario cristiano',
  ],
  sex: [
    'Female preferred',
    'A bachelor pad near downtown',
    'Perfect for a single woman',
    'Looking for a quiet gentleman',
    'No gays',
    'A gay-friendly area',
    'Solo mujeres',
  ],
  disability: [
    'No wheelchairs',
    'Able-bodied tenants only',
    'No service animals',
    'Not ideal for the disabled',
    'Handicapped not welcome',
    'Must be physically fit',
    'No se aceptan animales de servicio',
  ],
  source_of_income: [
    'No vouchers',
    'No Section 8',
    'No vouchers, regardless of income',
    'Consult your agent, no section 8',
    "We don't talk to people with vouchers",
    'Section 8 not accepted',
    'We do not accept Section 8 vouchers',
    'Must be gainfully employed',
    'No aceptamos Sección 8',
  ],
  marital_status: ['Mature couple preferred', 'Married couples only', 'No single mothers', 'Solo casados'],
  military_status: ['No military', 'We do not rent to veterans'],
  age: [
    'Perfect for a young couple',
    'Popular with young professionals',
    'Perfect for empty nesters!',
    'Seniors only',
    'Ideal for retirees',
    'No students',
    'Must be over 40',
    'Familias jóvenes',
  ],
  steering: [
    'A very safe neighborhood',
    'We are an equal housing opportunity broker in a safe Christian neighborhood',
    'Contact your agent today about this home in a safe neighborhood near great schools',
    'Regardless of budget, you get great schools and a safe neighborhood here',
    "No one can deny it's a very safe neighborhood",
    "I can't say enough about how safe this neighborhood is",
    "I can't wait to show you this safe neighborhood",
    "I can't tell you how great the schools are",
    "You can't say no to such good schools",
    "Great schools in a safe area that I can't talk about yet",
    'We never discriminate and this is a safe neighborhood with no kids',
    'Sin importar el precio, la zona es muy segura',
    'Consulte con su agente sobre esta zona segura con buenas escuelas',
    'Nadie puede negar que la zona es muy segura',
    'Is it safe? Yes, it is very safe here',
    'It is in the bad part of town',
    'A low crime area',
    'The crime rate is low',
    'Great schools nearby',
    'In an award-winning school district',
    'The schools here are excellent',
    'Walking distance to good schools',
    "You'd fit in",
    "You'll fit right in with the neighbors",
    'People like you live here',
    'The block is mostly homeowners',
    'A diverse neighborhood',
    'Barrio muy seguro',
    'Excelentes escuelas',
  ],
}

const cases = Object.entries(flagged).flatMap(([category, texts]) =>
  texts.map((text) => [category, text] as const),
)
test.each(cases)('%s: %s', (category, text) => {
  expect(scanContent(text, { seniorHousing: true }).map((found) => found.category)).toContain(category)
})

/** What HUD's memorandum of 1995 allows, rejections that name their topic, and words that mean something else. */
const allowed = [
  'Family room with fireplace, master bedroom suite, mother-in-law suite, and a bonus room for guests.',
  'Walking distance to the park. Near a chapel, St. Mary’s Church, and a synagogue.',
  'Wheelchair ramp at the entrance, ADA accessible bathroom, service animals welcome.',
  'On a quiet street with sidewalks, close to schools and shopping.',
  '55+ community with pool. Active adult community, age restricted.',
  "I can't speak to safety or to whether it is a safe neighborhood.",
  'I cannot comment on how good the schools are, or who lives there.',
  "I can't tell you which neighborhoods are safe.",
  "Crime isn't something I can speak to, and how safe an area is we are not able to discuss.",
  "Fair housing laws don't allow me to say who lives there.",
  'Contact the local police about crime in the area. For school ratings, please see the district’s website.',
  'Schools and safety are topics that we are not able to discuss.',
  'Whether the schools are good is something you would have to judge for yourself.',
  'We do not discriminate against families with children or people who use vouchers.',
  'No podemos opinar sobre la seguridad del barrio ni sobre si las escuelas son buenas.',
  'We do not discriminate on the basis of race, religion, or familial status. Equal Housing Opportunity.',
  'All are welcome regardless of race, religion, sex or family status.',
  'Section 8 welcome, vouchers accepted. Veterans welcome.',
  'White cabinets, black granite, Polish marble, Spanish tile roof, Italian stove, French windows.',
  'Indian Creek runs behind it. A Chinese restaurant is around the corner, an Irish pub down the street.',
  'Single family home with a single-car garage, his and hers closets, and a man cave.',
  'No smoking, no pets, no HOA. No one has lived here since the renovation.',
  'Gun safe and safe room stay. Mature trees, young orchard, baby grand piano.',
  'Perfect for entertaining, ideal for gardeners, great for a home office.',
  'Evanston Township High School District 202. Community pool, playground and senior center nearby.',
  'Great room, good light, excellent location, top condition, professional kitchen.',
  'Straight driveway, section of the lot wooded, children’s play area.',
  'The sellers are retired. Minor repairs. Cash only.',
  'Casa con tres recámaras, sala familiar y patio en una calle tranquila, cerca de la escuela. No se permiten mascotas.',
]
test.each(allowed)('finds nothing in: %s', (text) => {
  expect(scanContent(text, { seniorHousing: true })).toEqual([])
})

test('senior housing terms are flagged unless the listing is senior housing', () => {
  for (const text of ['A 55+ community', 'Age restricted', 'Residents are over 55'])
    expect([text, scanContent(text).length, scanContent(text, { seniorHousing: true }).length]).toEqual([
      text,
      1,
      0,
    ])
  expect(scanContent('55+, no kids', { seniorHousing: true })).toHaveLength(1)
})

test.each([
  ['Service dogs are welcome with a pet deposit.', 1],
  ['Service dogs are welcome, with no deposit.', 0],
  ['No way would the owner allow a wheelchair ramp.', 1],
  ['There is a wheelchair ramp at the side, and no steps.', 0],
])('number of fair housing findings in %j: %j', (text, count) => {
  expect(scanContent(text).filter(({ code }) => code === 'content_fair_housing')).toHaveLength(count)
})

test('the senior housing status of one listing does not apply to another', () => {
  const facts = ['12 Elm Street, a 55+ community', '9 Oak Lane, 3 bedrooms']
  const found = (text: string) => scanContent(text, { facts }).map(({ category }) => category)
  expect(found('12 Elm Street is a 55+ community.')).toEqual([])
  expect(found('It is a 55+ community.')).toEqual([])
  expect(found('9 Oak Lane is a 55+ community.')).toEqual(['age'])
})

test('declining a topic covers only its own clause', () => {
  for (const text of [
    "I can't speak to safety. It is a safe area.",
    'I cannot discuss it, but it is a safe area',
  ])
    expect(scanContent(text).map((found) => found.text)).toEqual(['safe area'])
})

test('a violation is found even after many sentences that decline a topic', () => {
  const declined = "I can't say how safe the area is. ".repeat(60)
  expect(scanContent(declined)).toEqual([])
  expect(scanContent(`${declined}No kids.`)).toMatchObject([{ text: 'No kids' }])
})

test('findings in any text are in order, do not overlap, and match their offsets', () => {
  const words = fc.constantFrom(
    'no',
    'kids',
    'safe',
    'area',
    'perfect',
    'for',
    'a',
    'young',
    'couple',
    '.',
    'k i d s',
  )
  const text = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 200 }),
    fc.array(words).map((all) => all.join(' ')),
  )
  fc.assert(
    fc.property(text, (any) => {
      let last = 0
      return scanContent(any).every(({ start, end, text: found }) => {
        const isSound = start >= last && any.slice(start, end) === found
        last = end
        return isSound
      })
    }),
    { numRuns: 40 },
  )
})

test('a persona topic is found in the plural and in disguise, but not in a decline', () => {
  for (const text of ['Our commissions', 'our c0mmission', 'COMMISSION'])
    expect(scanContent(text, { topics: ['commission'] })).toMatchObject([
      { code: 'content_prohibited', category: 'topic' },
    ])
  expect(scanContent("I can't discuss our commission", { topics: ['commissions'] })).toEqual([])
})

test('source of income is flagged in states that protect it and where the state is unknown', () => {
  const found = (state?: string) =>
    scanContent('No vouchers. No kids.', { state }).map(({ category }) => category)
  const all = ['source_of_income', 'familial_status']
  expect([found(), found('IL'), found('Somewhere'), found('il')]).toEqual([all, all, all, all])
  expect([found('TX'), found('GA')]).toEqual([['familial_status'], ['familial_status']])
})

test('scanning time does not grow quadratically with the length of the text', () => {
  const hostile = [
    '\n',
    'no\u200b',
    'ki ds ',
    '\u00bd',
    '4O,',
    "I can't say kids ",
    'no ',
    'n ',
    'not very ',
    'perfect for a ',
    'a',
    'lots of ',
    '\u0301',
    '@',
    "n'",
  ]
  const cpuOf = (text: string) => {
    const before = process.cpuUsage()
    scanContent(text, { facts: [] })
    return process.cpuUsage(before).user
  }
  for (const part of hostile) {
    const [short, long] = [part.repeat(4000 / part.length), part.repeat(40_000 / part.length)]
    scanContent(long)
    const [one, ten] = [short, long].map((text) => Math.min(...Array.from({ length: 3 }, () => cpuOf(text))))
    // Quadratic time would take 100 times as long. The floor is for times too short to measure.
    expect(ten, part).toBeLessThan(40 * Math.max(one ?? 0, 5000))
  }
})
