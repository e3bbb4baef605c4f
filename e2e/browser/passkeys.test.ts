import { type Person, personIn } from '@gable/server/test/support/browser.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Scene, type Visit, openScene } from './scene.ts'

let scene: Scene
let person: Person

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(async () => {
  person = await personIn(await scene.app.workspace())
})

/** A browser at the server's host name, with a virtual authenticator that approves every request. */
async function atDevice(): Promise<Visit & { willVerify(does: boolean): Promise<unknown> }> {
  const visit = await scene.visitAs(person, { baseURL: scene.byName })
  const devtools = await visit.context.newCDPSession(visit.page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const willVerify = (isUserVerified: boolean) =>
    devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  return { ...visit, willVerify }
}

/** So that a passkey is asked for by the button alone, as in a browser that does not offer it by itself. */
const withoutAutofill = ({ page }: Visit) =>
  page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')

const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click()

async function addPasskey(visit: Visit, name = 'Work laptop'): Promise<void> {
  await visit.open('/account/passkeys')
  await visit.page.getByLabel('Name').fill(name)
  await press(visit, 'Add passkey')
  await visit.page.getByRole('cell', { name }).first().waitFor()
}

async function signOut(visit: Visit): Promise<void> {
  await press(visit, 'Sign out')
  await visit.page.waitForURL('**/sign-in')
}

test('a person adds a passkey and signs in with the passkey button', async () => {
  await using visit = await atDevice()
  await withoutAutofill(visit)
  await addPasskey(visit)
  await signOut(visit)
  await visit.open('/sign-in?return_to=/account')
  await press(visit, 'Sign in with a passkey')
  await visit.page.getByRole('heading', { name: 'Your account' }).waitFor()
  expect(await visit.page.getByText('Passkeys: 1.').count()).toBe(1)
  expect(visit.complaints).toEqual([])
})

test('a passkey is offered as autofill on the sign-in page', async () => {
  await using visit = await atDevice()
  await addPasskey(visit)
  // Not by the button: the page that follows it would offer the passkey at once, and race with the one opened below.
  await visit.context.clearCookies()
  // The device chooses the only one that it has.
  await visit.open('/sign-in?return_to=/account')
  await visit.page.getByRole('heading', { name: 'Your account' }).waitFor()
  expect(visit.complaints).toEqual([])
})

test('a passkey confirms a person’s identity', async () => {
  await using visit = await atDevice()
  await addPasskey(visit)
  scene.app.clock.advance(11 * 60_000)
  await visit.open('/account/password')
  await visit.page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
  await press(visit, 'Use a passkey')
  await visit.page.getByRole('heading', { name: 'Change password' }).waitFor()
  expect(visit.complaints).toEqual([])
})

test('a removed passkey is rejected', async () => {
  await using visit = await atDevice()
  await withoutAutofill(visit)
  await addPasskey(visit)
  await press(visit, 'Remove Work laptop')
  await visit.page.getByText('You have no passkeys yet.').waitFor()
  await signOut(visit)
  await visit.open('/sign-in')
  await press(visit, 'Sign in with a passkey')
  await visit.page.getByRole('alert').filter({ visible: true }).waitFor()
  await visit.open('/account')
  expect(new URL(visit.page.url()).pathname).toBe('/sign-in')
})

test('a device without user verification does not sign in', async () => {
  await using visit = await atDevice()
  await withoutAutofill(visit)
  await addPasskey(visit)
  await visit.willVerify(false)
  await signOut(visit)
  await visit.open('/sign-in')
  await press(visit, 'Sign in with a passkey')
  expect(await visit.page.getByRole('alert').filter({ visible: true }).innerText()).toBe(
    'It was not finished. Try again when you are ready.',
  )
})

test('the same device cannot be added twice', async () => {
  await using visit = await atDevice()
  await addPasskey(visit)
  await visit.page.getByLabel('Name').fill('Once more')
  await press(visit, 'Add passkey')
  await visit.page.getByText('This device has a passkey for you already.').waitFor()
  await visit.page.reload()
  expect(await visit.page.getByRole('cell', { name: 'Once more' }).count()).toBe(0)
})

test('without JavaScript, no passkeys are offered and password sign-in still works', async () => {
  await using visit = await scene.visit({ baseURL: scene.byName, javaScriptEnabled: false })
  await visit.open('/sign-in?return_to=/account/passkeys')
  expect(await visit.page.getByRole('button').allInnerTexts()).toEqual(['Sign in'])
  await visit.fillSignIn(person)
  await visit.page.locator('noscript p').waitFor()
  expect(await visit.page.getByRole('button').allInnerTexts()).toEqual(['Sign out'])
})
