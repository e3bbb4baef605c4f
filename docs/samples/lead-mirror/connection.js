import { Gable, GableError, GableOAuth } from 'gable'

/** The app is not connected: the person has to connect it. */
class NotConnected extends Error {}

/** @param {unknown} error */
export const isEnded = (error) =>
  error instanceof NotConnected || (error instanceof GableError && /^invalid_(grant|token)$/.test(error.code))

/**
 * The connection to one workspace. A call throws an error of which `isEnded` holds once the person must connect again.
 *
 * @param {object} options
 * @param {string} options.url  of Gable
 * @param {string} options.clientId
 * @param {string} options.clientSecret
 * @param {string} options.redirectUri
 * @param {string} options.scope
 * @param {import('./store.js').Store} options.store
 */
export function openConnection({ url, clientId, clientSecret, redirectUri, scope, store }) {
  const oauth = new GableOAuth({ baseUrl: url, clientId, clientSecret, redirectUri })
  const tokens = {
    read() {
      const connection = store.read()
      if (connection === undefined) throw new NotConnected()
      return connection.tokens
    },
    /** @param {import('gable').Tokens} next */
    write: (next) => store.write({ ...store.read(), tokens: next }),
  }
  return {
    /** The consent page, for a new attempt to connect. */
    begin: () => oauth.authorize(scope),
    /**
     * @param {URL} callback
     * @param {import('gable').Attempt} attempt
     */
    connect: async (callback, attempt) => tokens.write(await oauth.connect(callback, attempt)),
    /** A person waits for the page, so calls do not wait for long. */
    gable: new Gable({
      baseUrl: url,
      accessToken: oauth.accessToken(tokens),
      timeout: 10_000,
      retryFor: 3000,
    }),
    /** Revokes all tokens. */
    async disconnect() {
      const { accessToken, refreshToken } = tokens.read()
      await oauth.revoke(refreshToken ?? accessToken)
      store.clear()
    },
  }
}

/** @typedef {ReturnType<typeof openConnection>} Connection */
