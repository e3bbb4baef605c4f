import { once } from 'node:events'
import { type IncomingMessage, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { symmetric } from 'retell-sdk/lib/webhook_auth.js'
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import { found } from '#kernel/errors.ts'
import { type TestApp, type TestAppOptions, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { tendCall } from '../../src/modules/calls/tend-call.ts'
import { type ProviderAccount, openAccount } from '../../src/modules/senders/public.ts'

/** A person who has agreed to be called, by the AI as well. */
export const person = '+13125550177'

export interface Requested {
  method: string
  path: string
  body: Record<string, unknown>
  authorization: string
}
/** A status and a body; `reset` takes the request, and its response is lost. */
export type Said = [status: number, body?: unknown] | 'reset'

/** Providers of calls on loopback that respond as a test says, and what was requested of them. */
async function startProviders() {
  const requested: Requested[] = []
  const script = { respond: (_: Requested): Said => [404] }
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
    const said = script.respond(one)
    if (said === 'reset') return void request.socket.destroy()
    const [status, content = {}] = said
    response.writeHead(status).end(content instanceof Buffer ? content : JSON.stringify(content))
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
  /** Looks at a call once, as the job does. */
  tend(id: string): Promise<void>
  read(id: string): Promise<Record<string, unknown>>
  /** The names of the events of a call, in their order. */
  events(id: string): Promise<string[]>
  /** Posts a callback of Retell's, signed. Returns its status. */
  retell(callId: string, event: string, call: object): Promise<number>
  /** The same of a whole body that comes in pieces. */
  retellIn(pieces: readonly Buffer[], callId: string): Promise<number>
  /** Posts a callback of Twilio's, signed. */
  twilio(
    callId: string,
    kind: string,
    form: Record<string, string>,
  ): Promise<{ status: number; body: string }>
  /** The same of a call that comes in: `kind` is the last part of the path. */
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
      return found(await openAccount(ctx, found(row).connection_id))
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
      contactId: found((data as { id: string }[])[0]).id,
      tend: (id) => tendCall(ctx, { voice: app.voice, files: app.files }, id),
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
        return postTwilio(found(await openAccount(ctx, found(row).id)), kind, form)
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
