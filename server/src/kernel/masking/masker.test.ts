import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { nullable } from '../schemas.ts'
import { masked } from './masked.ts'
import { mask, rejectMasks } from './masker.ts'

const Person = Type.Object({
  id: Type.String(),
  phone: masked('phone', nullable(Type.String())),
  email: Type.Optional(masked('email', Type.String())),
  tags: masked('text', Type.Array(Type.String())),
  rank: masked('hidden', nullable(Type.Integer())),
  at: masked('time', Type.Unknown()),
  home: Type.Union([Type.Object({ street: masked('text', Type.String()) }), Type.Null()]),
  rooms: Type.Array(Type.Object({ names: Type.Array(masked('text', Type.String())) })),
})
const person = {
  id: '3125550123',
  phone: '0123',
  email: 'ada@reyes.example',
  tags: ['312-555-0123'],
  rank: 3,
  at: 1_795_205_462_000,
  home: { street: 'Call 312 555 0123' },
  rooms: [{ names: ['ada@reyes.example', 'Hall'] }],
}

test('masks annotated values at any depth and leaves the rest unchanged', () => {
  expect(mask(Person, person)).toEqual({
    id: '3125550123',
    phone: '******',
    email: 'a***@reyes.example',
    tags: ['******0123'],
    rank: null,
    at: 1_795_205_462_000,
    home: { street: 'Call ******0123' },
    rooms: [{ names: ['a***@reyes.example', 'Hall'] }],
  })
  const { email: _, ...rest } = person
  const empty = { ...rest, phone: null, home: null, at: '312-555-0123', rooms: [] }
  const shown = mask(Person, empty)
  expect(shown).toMatchObject({ phone: null, home: null, at: '******0123', rooms: [] })
  expect('email' in shown).toBe(false)
  expect(mask(Type.Array(Person), [person])).toEqual([mask(Person, person)])
})

test('returns a value without annotations unchanged', () => {
  expect(mask(Type.Object({ id: Type.String() }), person)).toBe(person)
})

test('reports masked values in a body by path', () => {
  rejectMasks(Person, person)
  const body = { ...mask(Person, person), id: '******0123' }
  expect(() => rejectMasks(Person, body)).toThrow(
    'These fields are invalid: phone, email, tags, home.street, rooms.0.names.0.',
  )
})

test('a value annotated in several alternatives is masked and reported once', () => {
  const Choice = Type.Union([Person, Type.Object({ phone: masked('phone', Type.String()) })])
  const shown = mask(Choice, { phone: '+13125550123' })
  expect(shown).toEqual({ phone: '+1******0123' })
  expect(() => rejectMasks(Choice, shown)).toThrow('phone: is masked')
})
