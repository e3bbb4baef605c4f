import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

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

/** What a browser says of a passkey that it has made (WebAuthn, RegistrationResponseJSON); throws for anything else. */
export const readCreated = (answer: string) => Created.Parse(JSON.parse(answer))

/** What a browser says of a passkey that has signed (WebAuthn, AuthenticationResponseJSON); throws for anything else. */
export const readSigned = (answer: string) => Signed.Parse(JSON.parse(answer))
