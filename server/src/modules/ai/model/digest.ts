import { createHash } from 'node:crypto'
import type { Prompt } from './ask-model.ts'

/** SHA-256 of everything a model is given, in hex. */
export const digestOf = ({ system, turns }: Prompt): string =>
  createHash('sha256').update(JSON.stringify({ system, turns })).digest('hex')
