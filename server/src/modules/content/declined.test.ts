import { expect, test } from 'vitest'
import { scanContent } from './scan-content.ts'

/** Advice and promises next to words of referral, with the category of the finding. */
const given: [category: string, text: string][] = [
  ['lending_advice', 'Regardless of your credit, you are guaranteed to be approved'],
  ['promise', 'Your lender can tell you that you will definitely be approved for the loan'],
  ['promise', 'Ask your lender about the loan that you will definitely be approved for'],
  ['promise', 'You are guaranteed to make money, ask your agent'],
  ['price_opinion', 'No one can deny that it is overpriced'],
  ['legal_advice', "I'm not a lawyer and you can break the lease"],
  ['price_opinion', 'Sin importar el mercado, es una ganga'],
  ['price_opinion', 'We are an equal housing opportunity broker, and home values will go up'],
]
test.each(given)('%s: %s', (category, text) => {
  expect(scanContent(text).map((found) => found.category)).toContain(category)
})

const referred = [
  'A lender can tell you whether you qualify for an FHA loan.',
  'Ask a CPA whether you can deduct that.',
  'Whether you should waive the inspection is a question for an attorney.',
  "What the home is worth is something I can't say.",
  'No one can promise that the house will sell.',
  'Un abogado le puede decir si puede romper el contrato.',
]
test.each(referred)('finds nothing in: %s', (text) => {
  expect(scanContent(text)).toEqual([])
})

test('a persona topic is allowed only in a clause that declines it', () => {
  const found = (text: string) => scanContent(text, { topics: ['commission'] }).length
  expect(found("Our commission is something I can't discuss.")).toBe(0)
  expect(found('Our commission is low, regardless of what you pay.')).toBe(1)
  expect(found('Our commission is low, ask your agent.')).toBe(1)
})

test('a referral or a proper name may contain a topic; advice and preferences are found', () => {
  for (const text of [
    'For questions about deductions or capital gains, please check with a CPA.',
    'Questions about race, religion, or background are none that I can respond to.',
    'Sobre impuestos, lo mejor es hablar con un contador.',
    'The rowhouse on Christian Street is open for tours.',
  ])
    expect([text, scanContent(text)]).toEqual([text, []])
  for (const text of [
    'You need no attorney to review the contract.',
    'A Christian street.',
    'No kids are welcome.',
  ])
    expect([text, scanContent(text).length > 0]).toEqual([text, true])
})
