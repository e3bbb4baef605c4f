import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { type Browser, personIn, signedInBrowser } from '../support/browser.ts'
import { authorizePath, codeForm, decide, newPkce, post, registerApp } from './scene.ts'

let app: TestApp
let owner: Browser
beforeAll(async () => {
  app = await testApp()
  owner = await signedInBrowser(app, await personIn(await app.workspace()))
})
afterAll(() => app[Symbol.asyncDispose]())

/** Redirect URIs as registered, and as sent in an authorization request. */
const asked = [
  { registered: 'https://mirror.example/callback', sent: 'https://mirror.example/callback' },
  {
    registered: 'https://mirror.example/a?of=gable&b=%2Fc',
    sent: 'https://mirror.example/a?of=gable&b=%2Fc',
  },
  { registered: 'com.example.mirror:/done', sent: 'com.example.mirror:/done' },
  ...['127.0.0.1', '[::1]', 'localhost'].flatMap((host) => [
    { registered: `http://${host}/done`, sent: `http://${host}/done` },
    { registered: `http://${host}/done`, sent: `http://${host}:49152/done` },
    { registered: `http://${host}:3000/done`, sent: `http://${host}:49152/done` },
    { registered: `http://${host}:3000/done?of=gable`, sent: `http://${host}:3000/done?of=gable` },
  ]),
]

/** Other spellings that could pass for the same URI. For some URIs, some of these produce the same text. */
const others: Record<string, (sent: string, registered: string) => string> = {
  'the registered one': (_, registered) => registered,
  'another port': (sent) => sent.replace(/(:\/\/[^/]*?)(:\d+)?\//, '$1:49153/'),
  'a port more': (sent) => sent.replace(/(:\/\/[^/:]+|:\/\/\[::1\])\//, '$1:80/'),
  'no port': (sent) => sent.replace(/:\d+(?=\/)/, ''),
  'a port with a zero in front': (sent) => sent.replace(/:(\d+)(?=\/)/, ':0$1'),
  'another scheme': (sent) => sent.replace(/^https?/, (it) => (it === 'http' ? 'https' : 'http')),
  'a scheme in capitals': (sent) => sent.replace(/^[a-z]+/, (it) => it.toUpperCase()),
  'a host in capitals': (sent) => sent.replace(/(?<=:\/\/)[^/]+/, (it) => it.toUpperCase()),
  'a host with a dot at its end': (sent) => sent.replace(/(?<=:\/\/[^/:]+)(?=[:/])/, '.'),
  'another name of this machine': (sent) => sent.replace(/127\.0\.0\.1|\[::1\]|localhost/, '127.0.0.2'),
  'a user': (sent) => sent.replace('://', '://ada@'),
  'another path': (sent) => sent.replace(/\/(done|callback|a)\b/, '/other'),
  'a path in capitals': (sent) => sent.replace(/\/(done|callback|a)\b/, (it) => it.toUpperCase()),
  'a letter of the path as an escape': (sent) =>
    sent.replace(/[a-z](?=\?|$)/, (it) => `%${it.charCodeAt(0).toString(16)}`),
  'an escape in small letters': (sent) => sent.replace('%2F', '%2f'),
  'an escape as its letter': (sent) => sent.replace('%2F', '/'),
  'a path around a corner': (sent) => sent.replace(/\/(?=done|callback|a\b)/, '/x/../'),
  'two slashes': (sent) => sent.replace(/\/(?=done|callback|a\b)/, '//'),
  'a slash more': (sent) => sent.replace(/(?=\?|$)/, '/'),
  'a question mark more': (sent) => (sent.includes('?') ? `${sent}&` : `${sent}?`),
  'a parameter more': (sent) => `${sent}${sent.includes('?') ? '&' : '?'}more=1`,
  'no parameters': (sent) => sent.replace(/\?.*/, ''),
  'its parameters in another order': (sent) => sent.replace(/\?(.*)&(.*)/, '?$2&$1'),
  'a fragment': (sent) => `${sent}#more`,
  'a space before it': (sent) => ` ${sent}`,
  'a space after it': (sent) => `${sent} `,
  'its beginning': (sent) => sent.slice(0, -1),
}

test.each(asked)(
  'a code sent to $sent can be exchanged only with that exact redirect_uri',
  async ({ registered, sent }) => {
    const mirror = await registerApp(app, { redirect_uris: [registered] })
    const { verifier, challenge } = newPkce()
    const path = authorizePath(mirror, { redirect_uri: sent, code_challenge: challenge })
    const { location } = await decide(owner, path, 'allow')
    expect(location.startsWith(sent)).toBe(true)
    const code = new URL(location).searchParams.get('code') ?? ''
    const form = codeForm(mirror, { code, verifier })
    for (const [how, change] of Object.entries(others)) {
      const redirect_uri = change(sent, registered)
      if (redirect_uri === sent) continue
      const { status, body } = await post(app, 'token', { ...form, redirect_uri })
      expect([how, status, body['error']]).toEqual([how, 400, 'invalid_grant'])
    }
    expect((await post(app, 'token', { ...form, redirect_uri: sent })).status).toBe(200)
  },
)
