import type { Ctx } from '#kernel/context.ts'
import { defineError, orNotFound } from '#kernel/errors.ts'
import { type ProviderAccount, findConnection, openAccount, recordTested } from '../../senders/public.ts'
import type { VoiceCarriers } from '../ports.ts'

/** The results of testing a connection's credentials. */
export const testResults = ['accepted', 'rejected', 'unknown_account', 'unreachable'] as const
type TestResult = (typeof testResults)[number]

/** A test, and the credentials that were tested. */
interface Test {
  account: ProviderAccount
  result: TestResult
}

const ConnectionDisconnected = defineError('connection_disconnected', 409, () => ({
  message: 'The connection is disconnected. Replace its credentials to connect it again.',
}))

const ConnectionUntestable = defineError('connection_untestable', 409, () => ({
  message: 'Only connections with Retell and Twilio can be tested.',
}))

/**
 * Asks the voice provider whether it accepts a connection's credentials and knows the account. Throws 404 if the
 * connection isn't in this workspace, and 409 if it can't be tested.
 */
export async function askProvider(ctx: Ctx, voice: VoiceCarriers, id: string): Promise<Test> {
  const { provider } = orNotFound(await findConnection(ctx.directory, ctx.workspaceId, id))
  const carrier = voice[provider]
  if (carrier === undefined) throw ConnectionUntestable()
  const account = await openAccount(ctx, id)
  if (account === undefined) throw ConnectionDisconnected()
  return { account, result: await carrier.test(account) }
}

/** Records the result of a test, unless the provider is unreachable. */
export async function recordTest(ctx: Ctx, { account, result }: Test): Promise<void> {
  if (result !== 'unreachable') await recordTested(ctx, account, result === 'accepted')
}

/** Tests a connection; see `askProvider`. */
export async function testConnection(ctx: Ctx, voice: VoiceCarriers, id: string): Promise<TestResult> {
  const test = await askProvider(ctx, voice, id)
  await recordTest(ctx, test)
  return test.result
}
