import { randomBytes } from 'node:crypto'
import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import type { DirectoryDb } from '#kernel/db/handles.ts'
import { lock } from '#kernel/db/lock.ts'
import { ReferenceNotFound, ValidationFailed, orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { changesOf } from '#kernel/records/changes.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { placesIn, signingSettingsIssues, simulationIssues } from './accounts/account-parts.ts'
import {
  joinCredentials,
  openCredentials,
  previousCredentialsMs,
  sealCredentials,
  splitCredentials,
} from './accounts/credentials.ts'
import { emailSettingsIssues, namesDkimKey } from './accounts/email-account.ts'
import {
  findConnection,
  findSealedConnection,
  insertConnection,
  findSimulatedConnection,
  listRealConnections,
  lockConnection,
  saveConnection,
  saveNewCredentials,
} from './connection-queries.ts'
import {
  type ConnectionRow,
  type ConnectionChanges,
  type NewConnection,
  type Settings,
  connections,
} from './connection.ts'
import { ConnectionCreated, ConnectionUpdated, CredentialsReplaced } from './events.ts'
import { restartMailbox } from './mailbox-queries.ts'
import { type Provider, signatureProviders, voiceProviders } from './ports.ts'

/** Adds an account with a provider. Its credentials are stored encrypted and never shown. */
export async function createConnection(ctx: Ctx, draft: NewConnection): Promise<ConnectionRow> {
  await requireCallable(ctx, draft.provider, draft.settings)
  return ctx.transaction((tx) => addConnection(tx, draft))
}

/**
 * Throws 400 for settings with an address that Gable must not call. Resolves hosts over the network, so never call it
 * inside a transaction.
 */
async function requireCallable({ egress }: Ctx, provider: Provider, settings: Settings = {}): Promise<void> {
  const issues = await Promise.all(
    Object.entries(placesIn(provider, settings)).map(async ([name, place]) => {
      const issue = await egress.inspect(place)
      return issue === undefined ? [] : [{ path: `settings.${name}`, message: `cannot be used: ${issue}` }]
    }),
  )
  if (issues.flat().length > 0) throw ValidationFailed(issues.flat())
}

/** In test mode, every connection is simulated: nothing may reach anyone. */
async function addConnection(
  tx: Tx,
  { secret, dkim_key, settings, ...given }: NewConnection,
): Promise<ConnectionRow> {
  const draft = tx.testMode ? { ...given, simulated: true } : given
  if (settings !== undefined || dkim_key !== undefined)
    requireSettings(draft.provider, settings ?? {}, dkim_key !== undefined)
  const issues = simulationIssues(draft)
  if (issues.length > 0) throw ValidationFailed(issues)
  const row = {
    ...connections.create(draft, tx.clock.now()),
    settings: settings ?? {},
    workspace_id: tx.workspaceId,
  }
  insertConnection(tx, row, sealCredentials(tx.keys, row.id, joinCredentials(secret, dkim_key)))
  await tx.emit(ConnectionCreated, { id: row.id, provider: row.provider, name: row.name })
  return row
}

/** Throws 400 for settings that the provider does not have. Twilio, WhatsApp, and Retell take any settings. */
function requireSettings(provider: Provider, settings: Settings, hasDkimKey: boolean): void {
  const issues =
    provider === 'email'
      ? emailSettingsIssues(settings, hasDkimKey)
      : signingSettingsIssues(provider, settings)
  if (provider !== 'email' && hasDkimKey)
    issues.push({ path: 'dkim_key', message: 'is allowed only for an email connection' })
  if (issues.length > 0) throw ValidationFailed(issues)
}

/**
 * Applies the changes. A new `secret` replaces the credentials; Gable accepts the previous ones for 24 hours.
 * `settings` replaces all settings. The DKIM key stays if the settings still name it.
 */
export async function updateConnection(
  ctx: Ctx,
  id: string,
  { secret, dkim_key, ...patch }: ConnectionChanges,
): Promise<ConnectionRow> {
  if (patch.settings !== undefined) {
    const { provider } = orNotFound(await findConnection(ctx.directory, ctx.workspaceId, id))
    await requireCallable(ctx, provider, patch.settings)
  }
  return ctx.transaction(async (tx) => {
    const before = requireMatch(ctx, orNotFound(await lockConnection(tx, id)))
    const now = tx.clock.now()
    const isDisconnected = before.disconnected_at !== null
    const known = before.provider === 'email' && !isDisconnected ? await credentialsOf(tx, id) : undefined
    const settings = patch.settings ?? before.settings
    const dkimKey = dkim_key ?? (namesDkimKey(settings) ? known?.dkimKey : undefined)
    const isRenewed = secret !== undefined || dkim_key !== undefined
    if (isDisconnected && isRenewed && secret === undefined)
      throw ValidationFailed([{ path: 'secret', message: 'is required to connect again' }])
    if (patch.settings !== undefined || dkim_key !== undefined || (isDisconnected && isRenewed))
      requireSettings(before.provider, settings, dkimKey !== undefined)
    const credentials = joinCredentials(secret ?? known?.secret ?? '', dkimKey)
    const until = timeAfter(
      before.previous_secret_until ?? before.created_at,
      later(now, previousCredentialsMs),
    )
    const renewed = isRenewed
      ? {
          previous_secret_until: until,
          credentials_rejected_at: null,
          callback_rejected_at: null,
          disconnected_at: null,
        }
      : {}
    // The next sweep shows whether it helped.
    const resumed = isRenewed || patch.settings !== undefined ? { stopped: null } : {}
    const patched = connections.applyPatch(before, { ...patch, ...renewed, ...resumed }, now)
    if (patched === undefined) return before
    const { after, changed } = patched
    if (isRenewed) saveNewCredentials(tx, id, sealCredentials(tx.keys, id, credentials))
    saveConnection(tx, id, changed)
    if (isRenewed || 'settings' in changed) restartMailbox(tx, id, now, 'settings' in changed)
    const data = { id, provider: after.provider, name: after.name }
    if (isRenewed) await tx.emit(CredentialsReplaced, data)
    const changes = changesOf(connections, ['name', 'settings'], before, after)
    if (changes.length > 0) await tx.emit(ConnectionUpdated, { ...data, changes })
    return after
  })
}

async function credentialsOf(tx: Tx, id: string) {
  const { secret } = orNotFound(await findSealedConnection(tx, id))
  return splitCredentials(openCredentials(tx.keys, id, secret))
}

/** Whether a simulated connection may be made where nothing names another one. */
type Simulating = Pick<Ctx, 'simulatesProviders'>

/**
 * The connection for a new record: the one with this id, or else the only real one of the provider, or else, where the
 * simulated carrier is in effect, the workspace's simulated one, which is created if it does not exist. Throws 404 for a
 * connection of another workspace, and 400 for one of another provider, if there are several, and if there is none.
 */
export async function connectionFor(
  tx: Tx,
  simulating: Simulating,
  provider: Provider,
  id: string | undefined,
): Promise<ConnectionRow> {
  if (id === undefined) {
    const [only, ...others] = await listRealConnections(tx, tx.workspaceId, [provider])
    if (only === undefined) return simulatedConnection(tx, simulating, provider)
    if (others.length > 0) throw invalid(`is required: ${named([only, ...others])}`)
    return only
  }
  const connection = await findConnection(tx, tx.workspaceId, id)
  if (connection === undefined) throw ReferenceNotFound('connection_id')
  if (connection.provider !== provider) throw invalid(`must be a ${provider} connection`)
  return connection
}

const invalid = (message: string) => ValidationFailed([{ path: 'connection_id', message }])

const shownAtMost = 10

/** `there are 2 connections: Main account (cmi8h…), Second office (cmi8h…)` */
const named = (all: readonly ConnectionRow[]) => {
  const shown = all.slice(0, shownAtMost).map(({ name, id }) => `${name} (${id})`)
  const more = all.length > shownAtMost ? `, and ${all.length - shownAtMost} more` : ''
  return `there are ${all.length} connections: ${shown.join(', ')}${more}`
}

/** The connection that a new document is signed with; see `connectionAmong`. */
export const signatureConnectionFor = (tx: Tx, simulating: Simulating, id: string | undefined) =>
  connectionAmong(tx, simulating, signatureProviders, id)

/** The connection whose AI conducts a new call; see `connectionAmong`. */
export const voiceConnectionFor = (tx: Tx, simulating: Simulating, id: string | undefined) =>
  connectionAmong(tx, simulating, voiceProviders, id)

/**
 * The connection with this id, or else the oldest real connection to one of these providers, or else, where the simulated
 * carrier is in effect, the workspace's simulated connection of the first one, which is created if it does not exist.
 * Throws 404 for a connection that is disconnected or of another workspace, and 400 for one of another provider, and if
 * there is none.
 */
async function connectionAmong(
  tx: Tx,
  simulating: Simulating,
  among: readonly [Provider, ...Provider[]],
  id: string | undefined,
): Promise<ConnectionRow> {
  if (id !== undefined) return requireAmong(tx, tx.workspaceId, among, id)
  return (
    (await listRealConnections(tx, tx.workspaceId, among))[0] ??
    (await simulatedConnection(tx, simulating, among[0]))
  )
}

/**
 * The connection whose AI would conduct a new call: the one with this id, or else the oldest real one; undefined if
 * there is none. Throws 404 for a connection that is disconnected or of another workspace, and 400 for one whose AI
 * cannot conduct calls.
 */
export const findVoiceConnection = ({ directory, workspaceId }: Ctx, id: string | undefined) =>
  id === undefined
    ? listRealConnections(directory, workspaceId, voiceProviders).then(([oldest]) => oldest)
    : requireAmong(directory, workspaceId, voiceProviders, id)

async function requireAmong(
  directory: DirectoryDb,
  workspaceId: string,
  among: readonly Provider[],
  id: string,
): Promise<ConnectionRow> {
  const connection = await findConnection(directory, workspaceId, id)
  if (connection === undefined) throw ReferenceNotFound('connection_id')
  if (connection.disconnected_at !== null) throw ReferenceNotFound('connection_id')
  if (among.includes(connection.provider)) return connection
  throw invalid(`must be a ${among.join(' or ')} connection`)
}

const names: Readonly<Partial<Record<Provider, string>>> = {
  twilio: 'Simulated texts',
  whatsapp: 'Simulated WhatsApp',
  email: 'Simulated email',
  documenso: 'Simulated Documenso',
  retell: 'Simulated AI calls',
}

async function simulatedConnection(
  tx: Tx,
  { simulatesProviders }: Simulating,
  provider: Provider,
): Promise<ConnectionRow> {
  if (!simulatesProviders)
    throw invalid(`is missing: there is no ${provider} connection yet; add one with POST /connections`)
  lock(tx, 'connections')
  const oldest = await findSimulatedConnection(tx, provider)
  const made = {
    provider,
    name: names[provider] ?? provider,
    account: `AC${randomBytes(16).toString('hex')}`,
    simulated: true,
  }
  return oldest ?? addConnection(tx, { ...made, secret: randomBytes(32).toString('hex') })
}
