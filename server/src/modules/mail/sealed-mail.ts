import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { KeyRing } from '#kernel/secrets.ts'
import type { Mail } from './ports.ts'

export const mailSealPurpose = 'mails'

const Content = Compile(
  Type.Object({
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
    calendar: Type.Optional(Type.String()),
  }),
)

export const sealMail = (keys: KeyRing, id: string, { to, subject, text, calendar }: Mail): Buffer =>
  keys.seal(mailSealPurpose, JSON.stringify({ to, subject, text, calendar }), `${id} content`)

export const openMail = (keys: KeyRing, id: string, sealed: Buffer): Mail =>
  Content.Parse(JSON.parse(keys.open(mailSealPurpose, sealed, `${id} content`)))

export const sealAnswer = (keys: KeyRing, id: string, answer: string): Buffer =>
  keys.seal(mailSealPurpose, answer, `${id} answer`)

export const openAnswer = (keys: KeyRing, id: string, sealed: Buffer): string =>
  keys.open(mailSealPurpose, sealed, `${id} answer`)
