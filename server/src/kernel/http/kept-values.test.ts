import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { masked } from '../masking/masked.ts'
import { Timestamp, nullable } from '../schemas.ts'
import { keptError, keptValues } from './kept-values.ts'

const id = 'cmi8h2k5p0001zq8r4t6w9x3y'
const Shape = Type.Object({
  id: Type.String(),
  name: Type.String(),
  phone: nullable(masked('phone', Type.String())),
  stage: nullable(Type.Enum(['LEAD', 'CLIENT'])),
  price: Type.Number(),
  secret_count: masked('hidden', nullable(Type.Integer())),
  active: Type.Boolean(),
  at: Timestamp,
  tags: Type.Array(Type.String()),
  either: Type.Union([Type.Object({ kind: Type.Enum(['a']), text: Type.String() }), Type.Null()]),
  custom: Type.Object({}, { additionalProperties: true }),
})

test('keeps numbers, booleans, times, IDs, and values from lists; withholds texts, and omits unknown members', () => {
  for (const at of ['Ada Reyes 12', '2026-01-01 (Ada Reyes)'])
    expect(keptValues({ at }, Shape)).toEqual({ at: '…' })
  const value = {
    id,
    name: 'Ada Reyes',
    phone: '+13125550177',
    stage: 'LEAD',
    price: 5,
    secret_count: 3,
    active: true,
    at: '2026-11-20T20:12:40.120Z',
    tags: ['vip', id],
    either: { kind: 'a', text: 'Call Ada' },
    custom: { spouse: 'Bea' },
    unknown: 'Ada',
  }
  expect(keptValues(value, Shape)).toEqual({
    id,
    name: '…',
    phone: '…',
    stage: 'LEAD',
    price: 5,
    secret_count: '…',
    active: true,
    at: '2026-11-20T20:12:40.120Z',
    tags: ['…', id],
    either: { kind: 'a', text: '…' },
    custom: {},
  })
})

test.for([
  [{ stage: 'Ada Reyes' }, { stage: '…' }],
  [{ at: 'Ada' }, { at: '…' }],
  [{ name: 13_125_550_177 }, { name: '…' }],
  [{ name: { first: 'Ada' } }, { name: {} }],
  [
    { phone: null, tags: 'Ada' },
    { phone: null, tags: '…' },
  ],
  ['Ada', '…'],
])('a value that its schema does not allow is withheld, too: %j', ([value, kept]) => {
  expect(keptValues(value, Shape)).toEqual(kept)
})

test('of an error, quoted values, numbers, and addresses are withheld', () => {
  const error = {
    code: 'validation_failed',
    message: 'stage: must be one of the stages, not "Ada Reyes"',
    details: [{ path: 'stage', message: 'not "Ada Reyes", ada@reyes.example' }],
    request_id: `req_${id}`,
  }
  const kept = keptError({ error })
  expect(kept).toMatchObject({ error: { code: 'validation_failed', details: [{ path: 'stage' }] } })
  expect(JSON.stringify(kept)).not.toMatch(/Ada|ada@/)
})
