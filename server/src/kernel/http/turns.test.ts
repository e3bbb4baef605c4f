import { expect, test } from 'vitest'
import { takeTurns } from './turns.ts'

test('each caller’s requests run in order up to its limit, independently of other callers', async () => {
  const inTurn = takeTurns(2)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (caller: string, name: string) =>
    inTurn(caller, () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => run('one', name))
  const other = run('other', 'x')
  expect(started).toEqual(['a', 'b', 'x'])
  ends.get('b')?.()
  expect(await b).toBe('b')
  expect(started).toEqual(['a', 'b', 'x', 'c'])
  ends.get('a')?.()
  expect(await a).toBe('a')
  expect(started).toEqual(['a', 'b', 'x', 'c', 'd'])
  ends.get('c')?.()
  ends.get('d')?.()
  expect(await Promise.all([c, d])).toEqual(['c', 'd'])
  const rest = [run('one', 'e'), run('one', 'f'), run('one', 'g')]
  expect(started.slice(5)).toEqual(['e', 'f'])
  for (const name of ['x', 'e', 'f']) ends.get(name)?.()
  expect(await Promise.all([other, ...rest.slice(0, 2)])).toEqual(['x', 'e', 'f'])
  ends.get('g')?.()
  expect(await rest[2]).toBe('g')
})

test('failed work releases its turn', async () => {
  const inTurn = takeTurns(1)
  const failing = inTurn('one', async () => {
    throw new Error('no')
  })
  const next = inTurn('one', async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})
