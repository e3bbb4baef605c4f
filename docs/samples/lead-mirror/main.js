import { createApp } from './app.js'
import { openConnection } from './connection.js'
import { openStore } from './store.js'

const env = process.env

/** @param {string} name */
function required(name) {
  const value = env[name]
  if (value === undefined || value === '') throw new Error(`Set ${name}. See README.md.`)
  return value
}

const port = Number(env['PORT'] ?? 3000)
const appUrl = new URL(env['APP_URL'] ?? `http://127.0.0.1:${port}`)
const store = openStore(env['CONNECTION_FILE'] ?? 'connection.json')
const connection = openConnection({
  url: required('GABLE_URL'),
  clientId: required('CLIENT_ID'),
  clientSecret: required('CLIENT_SECRET'),
  redirectUri: new URL('/callback', appUrl).href,
  scope: 'leads:read webhooks:manage',
  store,
})
createApp({ connection, store, appUrl }).listen(port, '127.0.0.1', () => {
  console.log(`Lead Mirror is at ${appUrl.href}`)
})
