import type { House } from '#kernel/context.ts'
import { isId } from '#kernel/ids.ts'
import { hashSecret, isWellFormed } from '../access/public.ts'
import { type AppRow, findClient } from './app-queries.ts'
import { InvalidClient, InvalidRequest } from './errors.ts'
import { decode } from './form.ts'

/** Who a request to the token endpoint says it is. */
export interface Claim {
  clientId: string | undefined
  secret: string | undefined
}

/**
 * Reads the client's id and secret from the form or from `Authorization: Basic`, whose halves are form-encoded (RFC 6749,
 * 2.3.1). Throws InvalidRequest when they come both ways, and InvalidClient for a header that cannot be read.
 */
export function readClaim(authorization: string | undefined, form: ReadonlyMap<string, string>): Claim {
  const [clientId, secret] = [form.get('client_id'), form.get('client_secret')]
  if (authorization === undefined) return { clientId, secret }
  const [, encoded = ''] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? []
  const [, id, password] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const basic = { clientId: decode(id ?? ''), secret: decode(password ?? '') }
  if (basic.clientId === undefined || basic.clientId === '' || basic.secret === undefined)
    throw InvalidClient()
  if (basic.secret !== '' && secret !== undefined)
    throw InvalidRequest('The secret comes both in the form and in the Authorization header.')
  if (clientId !== undefined && clientId !== basic.clientId)
    throw InvalidRequest('Form and Authorization header name different clients.')
  return { clientId: basic.clientId, secret: basic.secret === '' ? secret : basic.secret }
}

/** The app that a claim names, and what it has shown. */
export interface Client {
  app: AppRow
  secret: 'none' | 'right' | 'wrong'
}

/** Throws InvalidClient, one and the same, for an app that is unknown and for one that is disabled. */
export async function findClientOf(house: House, { clientId, secret }: Claim): Promise<Client> {
  if (clientId === undefined || !isId(clientId)) throw InvalidClient()
  const hash = secret !== undefined && isWellFormed('gbl_cs_', secret) ? hashSecret(secret) : null
  const row = await findClient(house.database.directory, clientId, hash, house.clock.now())
  if (row === undefined) throw InvalidClient()
  const { proven, ...app } = row
  if (secret === undefined) return { app, secret: 'none' }
  return { app, secret: proven ? 'right' : 'wrong' }
}

/** Who acts, in the journal and towards GET /ping. */
export const actorOf = ({ id, name }: Pick<AppRow, 'id' | 'name'>) => ({ type: 'oauth_app', id, name })
