import { expect, test } from 'vitest'
import { numberForms } from './number-forms.ts'

test.each([
  ['+5215541637201', '+525541637201'],
  ['+52 1 55 4163 7145', '+525541637145'],
  ['+52 55 4163 7145', '+5215541637145'],
  ['+5213312345678', '+523312345678'],
  ['+5491155551234', '+541155551234'],
  ['+541155551234', '+5491155551234'],
  ['+5493515551234', '+543515551234'],
  ['+553188887777', '+5531988887777'],
  ['+5531988887777', '+553188887777'],
  ['+554188887777', '+5541988887777'],
])('%s and %s are forms of one number', (one, other) => {
  const forms = numberForms(one)
  expect(forms).toHaveLength(2)
  expect(forms).toContain(other)
  expect(new Set(numberForms(other))).toEqual(new Set(forms))
})

test.each([
  ['+13125550123', ['+13125550123']],
  ['(312) 555-0123', ['+13125550123']],
  ['+551133334444', ['+551133334444']],
  ['+34612345678', ['+34612345678']],
  ['hello', []],
])('%s has no other form', (number, forms) => {
  expect(numberForms(number)).toEqual(forms)
})
