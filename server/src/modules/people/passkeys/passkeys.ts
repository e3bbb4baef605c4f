import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Runtime } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import { listPasskeys } from './queries.ts'

/** WebAuthn options for the browser, and the cookie that identifies the challenge. */
export interface Challenge {
  options: object
  cookie: string
}

export const PasskeyRejected = defineError('passkey_rejected', 401, (message: string) => ({ message }))

export const passkeyRejections = {
  late: 'This took longer than five minutes, or the page was already used. Try again.',
  unknown: 'This passkey is unknown or was removed.',
  others: 'This passkey belongs to another person.',
  twice: 'This passkey was already added.',
  noParty: 'Passkeys do not work at this address of the server.',
  notGood: 'The passkey could not be verified. Try again.',
}

/** Throws `PasskeyRejected` if `judge`, which parses or verifies the browser's response, throws. */
export async function orRejected<T>(judge: () => Promise<T>): Promise<T> {
  try {
    return await judge()
  } catch {
    throw PasskeyRejected(passkeyRejections.notGood)
  }
}

/** A person's passkeys as WebAuthn descriptors. */
export const credentialsOf = async ({ database }: Runtime, personId: string) =>
  (await listPasskeys(database.directory, personId)).map(({ id, transports }) => ({ id, transports }))

const shape = <R extends ReturnType<typeof Type.Object>>(response: R) =>
  Compile(
    Type.Object({
      id: Type.String(),
      rawId: Type.String(),
      type: Type.Literal('public-key'),
      clientExtensionResults: Type.Object({}),
      response,
    }),
  )

const Created = shape(
  Type.Object({
    clientDataJSON: Type.String(),
    attestationObject: Type.String(),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
  }),
)

const Signed = shape(
  Type.Object({
    clientDataJSON: Type.String(),
    authenticatorData: Type.String(),
    signature: Type.String(),
    userHandle: Type.Optional(Type.String()),
  }),
)

/** Parses a RegistrationResponseJSON (WebAuthn); throws for anything else. */
export const parseRegistration = (answer: string) => Created.Parse(JSON.parse(answer))

/** Parses an AuthenticationResponseJSON (WebAuthn); throws for anything else. */
export const parseAssertion = (answer: string) => Signed.Parse(JSON.parse(answer))
