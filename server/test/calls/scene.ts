import { once } from 'node:events'
import { type IncomingMessage, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { symmetric } from 'retell-sdk/lib/webhook_auth.js'
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import { orNotFound } from '#kernel/errors.ts'
import { type TestApp, type TestAppOptions, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { processCall } from '../../src/modules/calls/process-call.ts'
import { listRemovals } from '../../src/modules/calls/queries.ts'
import { removeFromProvider } from '../../src/modules/calls/recordings/remove-from-provider.ts'
import { type ProviderAccount, openAccount } from '../../src/modules/senders/public.ts'

/** A person who has consented to calls, including AI calls. */
export const person = '+13125550177'

export interface Requested {
  method: string
  path: string
  body: Record<string, unknown>
  authorization: string
}
/** A status and a body, which may be a stream. `reset` takes the request but loses the response. */
export type Said = [status: number, body?: unknown] | 'reset'

/** Fake voice providers on loopback, which respond as a test scripts them and record their requests. */
async function startProviders() {
  const requested: Requested[] = []
  const script = { respond: (_: Requested): Said | Promise<Said> => [404] }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
    const isJson = request.headers['content-type']?.includes('json') === true
    const body = (
      isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
    ) as Requested['body']
    const { authorization = '' } = request.headers
    const one = { method: request.method ?? '', path: request.url ?? '', body, authorization }
    requested.push(one)
    const said = await script.respond(one)
    if (said === 'reset') return void request.socket.destroy()
    const [status, content = status === 404 ? { message: 'There is no such resource.' } : {}] = said
    response.writeHead(status)
    if (content instanceof Readable) return void content.pipe(response)
    response.end(content instanceof Buffer ? content : JSON.stringify(content))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    requested,
    script,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export interface CallScene {
  app: TestApp
  workspace: TestWorkspace
  agent: Client
  contactId: string
  /** Checks a call once, as the job does. */
  advance(id: string): Promise<void>
  /** Runs the due removals at providers, as the job does for each workspace. */
  removeErased(): Promise<void>
  read(id: string): Promise<Record<string, unknown>>
  /** The names of a call's events, in order. */
  events(id: string): Promise<string[]>
  /** Posts a signed Retell callback and returns the response status. */
  retell(callId: string, event: string, call: object): Promise<number>
  /** Like `retell`, but posts a raw body in pieces. */
  retellIn(pieces: readonly Buffer[], callId: string): Promise<number>
  /** Posts a signed Twilio callback. */
  twilio(
    callId: string,
    kind: string,
    form: Record<string, string>,
  ): Promise<{ status: number; body: string }>
  /** Like `twilio`, but for an incoming call. `kind` is the last part of the path. */
  incoming(kind: string, form: Record<string, string>): Promise<{ status: number; body: string }>
}

export type CallScenes = Awaited<ReturnType<typeof startCallScenes>>

export async function startCallScenes(options: Pick<TestAppOptions, 'anonymousRateLimit'> = {}) {
  const providers = await startProviders()
  const app = await testApp({
    ...options,
    simulatedCarrierUrl: providers.origin,
    publicUrl: 'https://gable.example.com',
  })

  async function open(): Promise<CallScene> {
    app.clock.set('2026-03-02T15:00:00.000Z')
    providers.requested.length = 0
    providers.script.respond = () => [404]
    const workspace = await app.workspace()
    const agent = await workspace.credential()
    await readyToSend(workspace)
    const { data } = (await agent.get('/contacts')).body
    const { ctx } = workspace
    const accountOf = async (callId: string) => {
      const [row] = await asOwner<{ connection_id: string }>(
        app.databaseUrl,
        'select connection_id from calls where id = $1',
        [callId],
      )
      return orNotFound(await openAccount(ctx, orNotFound(row).connection_id))
    }
    const post = async (path: string, body: string, headers: Record<string, string>) => {
      const response = await fetch(`${app.url}${path}`, { method: 'POST', body, headers })
      return { status: response.status, body: await response.text() }
    }
    const postTwilio = (account: ProviderAccount, kind: string, form: Record<string, string>) => {
      const path = `/callbacks/twilio/${account.id}/voice/${kind}`
      const url = `https://gable.example.com${path}`
      return post(path, new URLSearchParams(form).toString(), {
        'x-twilio-signature': getExpectedTwilioSignature(account.secrets[0], url, form),
        'content-type': 'application/x-www-form-urlencoded',
      })
    }
    return {
      app,
      workspace,
      agent,
      contactId: orNotFound((data as { id: string }[])[0]).id,
      advance: (id) => processCall(ctx, { voice: app.voice, files: app.files }, id),
      async removeErased() {
        for (const one of await listRemovals(ctx.db, app.clock.now(), 200))
          await removeFromProvider(ctx, app.voice, one)
      },
      read: async (id) => (await agent.get(`/calls/${id}`)).body,
      events: async (id) =>
        (
          await asOwner<{ name: string }>(
            app.databaseUrl,
            'select name from events where subject_id = $1 order by id',
            [id],
          )
        ).map(({ name }) => name),
      async retell(callId, event, call) {
        const account = await accountOf(callId)
        const body = JSON.stringify({ event, call })
        const signature = await symmetric.sign(body, account.secrets[0], app.clock.now().getTime())
        return (await post(`/callbacks/retell/${account.id}`, body, { 'x-retell-signature': signature }))
          .status
      },
      async retellIn(pieces, callId) {
        const account = await accountOf(callId)
        const body = Buffer.concat(pieces).toString()
        const signature = await symmetric.sign(body, account.secrets[0], app.clock.now().getTime())
        const sent = send(`${app.url}/callbacks/retell/${account.id}`, {
          method: 'POST',
          headers: { 'x-retell-signature': signature },
        })
        for (const piece of pieces) await new Promise((resolve) => sent.write(piece, resolve))
        sent.end()
        const [response] = (await once(sent, 'response')) as [IncomingMessage]
        response.resume()
        return response.statusCode ?? 0
      },
      twilio: async (callId, kind, form) => postTwilio(await accountOf(callId), `${kind}/${callId}`, form),
      async incoming(kind, form) {
        const [row] = await asOwner<{ id: string }>(
          app.databaseUrl,
          "select id from connections where workspace_id = $1 and provider = 'twilio'",
          [workspace.id],
        )
        return postTwilio(orNotFound(await openAccount(ctx, orNotFound(row).id)), kind, form)
      },
    }
  }
  return {
    app,
    providers,
    open,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await providers[Symbol.asyncDispose]()
    },
  }
}
