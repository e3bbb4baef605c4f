import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** Ways in which a test makes an authenticator, or the browser in front of it, misbehave. */
export interface Mischief {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** Flags: 1 user present, 4 user verified. */
  flags?: number
  counter?: number
  userHandle?: string | undefined
  id?: string
  /** Corrupts the signature. */
  forged?: boolean
}

/** An authenticator in software: one passkey, ES256, without attestation (WebAuthn Level 3). */
export interface Authenticator {
  readonly id: string
  /** Responds to a page's request with the JSON that a browser would send. */
  create(options: CreateOptions, origin: string, mischief?: Mischief): string
  sign(options: SignOptions, origin: string, mischief?: Mischief): string
}

export interface CreateOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

export interface SignOptions {
  challenge: string
  rpId: string
}

const present = 1
const verified = 4
const withKey = 64

export function authenticator({
  counts = true,
  rawId = randomBytes(32),
}: { counts?: boolean; rawId?: Buffer } = {}): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = rawId.toString('base64url')
  let counter = 0
  let user = ''

  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authData = (rpId: string, flags: number, count: number, more = Buffer.alloc(0)) =>
    Buffer.concat([sha256(rpId), Buffer.from([flags]), uint(count, 4), more])

  return {
    id,
    create({ challenge, rp, user: { id: handle } }, origin, mischief = {}) {
      user = handle
      const key = cborMap([
        [cborInt(1), cborInt(2)],
        [cborInt(3), cborInt(-7)],
        [cborInt(-1), cborInt(1)],
        [cborInt(-2), cborBytes(Buffer.from(x, 'base64url'))],
        [cborInt(-3), cborBytes(Buffer.from(y, 'base64url'))],
      ])
      const attested = Buffer.concat([Buffer.alloc(16), uint(rawId.length, 2), rawId, key])
      const flags = (mischief.flags ?? present | verified) | withKey
      const attestationObject = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [
          cborText('authData'),
          cborBytes(authData(mischief.rpId ?? rp.id, flags, mischief.counter ?? 0, attested)),
        ],
      ])
      const client = clientData(
        mischief.type ?? 'webauthn.create',
        mischief.challenge ?? challenge,
        mischief.origin ?? origin,
      )
      return JSON.stringify({
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal'],
        },
      })
    },
    sign({ challenge, rpId }, origin, mischief = {}) {
      counter = mischief.counter ?? (counts ? counter + 1 : 0)
      const data = authData(mischief.rpId ?? rpId, mischief.flags ?? present | verified, counter)
      const client = clientData(
        mischief.type ?? 'webauthn.get',
        mischief.challenge ?? challenge,
        mischief.origin ?? origin,
      )
      const signature = createSign('sha256')
        .update(data)
        .update(sha256(mischief.forged === true ? 'something else' : client))
        .sign(privateKey)
      return JSON.stringify({
        id: mischief.id ?? id,
        rawId: mischief.id ?? id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: 'userHandle' in mischief ? mischief.userHandle : user,
        },
      })
    },
  }
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

/** The subset of CBOR that is needed (RFC 8949, 3). */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
const cborInt = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const cborBytes = (bytes: Buffer) => Buffer.concat([head(2, bytes.length), bytes])
const cborText = (text: string) => Buffer.concat([head(3, text.length), Buffer.from(text)])
const cborMap = (entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()])
