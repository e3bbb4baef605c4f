import type { Runtime } from '#kernel/context.ts'
import { isId } from '#kernel/ids.ts'
import { hashSecret, isWellFormed } from '../../access/public.ts'
import type { AppRow } from '../apps/app.ts'
import { findClient } from '../apps/queries.ts'
import { InvalidClient, InvalidRequest } from '../errors.ts'
import { decodeFormValue } from '../form.ts'

/** The client id and secret of a token request, not yet verified. */
export interface ClientAuthentication {
  clientId: string | undefined
  secret: string | undefined
}

/**
 * Reads the client id and secret from the form or from `Authorization: Basic`, where both are form-encoded (RFC 6749,
 * 2.3.1). Throws `InvalidRequest` if the secret is in both or if the ids differ, and `InvalidClient` if the header
 * cannot be read.
 */
export function readClientAuthentication(
  authorization: string | undefined,
  form: ReadonlyMap<string, string>,
): ClientAuthentication {
  const [clientId, secret] = [form.get('client_id'), form.get('client_secret')]
  if (authorization === undefined) return { clientId, secret }
  const [, encoded = ''] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? []
  const [, id, password] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const basic = { clientId: decodeFormValue(id ?? ''), secret: decodeFormValue(password ?? '') }
  if (basic.clientId === undefined || basic.clientId === '' || basic.secret === undefined)
    throw InvalidClient()
  if (basic.secret !== '' && secret !== undefined)
    throw InvalidRequest('Send the client secret in the form or in the Authorization header, not in both.')
  if (clientId !== undefined && clientId !== basic.clientId)
    throw InvalidRequest('The form and the Authorization header name different clients.')
  return { clientId: basic.clientId, secret: basic.secret === '' ? secret : basic.secret }
}

/** The app that a client id names, and whether the request's secret is one of its secrets. */
export interface Client {
  app: AppRow
  secret: 'none' | 'right' | 'wrong'
}

/** Throws the same `InvalidClient` for an unknown app and a disabled one. */
export async function authenticateClient(
  runtime: Runtime,
  { clientId, secret }: ClientAuthentication,
): Promise<Client> {
  if (clientId === undefined || !isId(clientId)) throw InvalidClient()
  const hash = secret !== undefined && isWellFormed('gbl_cs_', secret) ? hashSecret(secret) : null
  const row = await findClient(runtime.database.directory, clientId, hash, runtime.clock.now())
  if (row === undefined) throw InvalidClient()
  const { proven, ...app } = row
  if (secret === undefined) return { app, secret: 'none' }
  return { app, secret: proven ? 'right' : 'wrong' }
}

/** The app as an actor in the journal and in `GET /ping`. */
export const actorOf = ({ id, name }: Pick<AppRow, 'id' | 'name'>) => ({ type: 'oauth_app', id, name })
