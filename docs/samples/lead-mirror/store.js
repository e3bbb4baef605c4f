import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * @typedef {object} Tokens
 * @property {string} access_token
 * @property {string} refresh_token
 * @property {number} expires_at  when the access token ends, in milliseconds
 *
 * @typedef {object} Connection
 * @property {Tokens} tokens
 * @property {{ id: string, secret: string }} [webhook]
 */

/**
 * Keeps the connection in a file that only its owner can read. In earnest this is a row for each customer in your
 * database, encrypted. Synchronous, so that nothing else happens between reading and writing.
 *
 * @param {string} file
 */
export function openStore(file) {
  return {
    /** @returns {Connection | undefined} */
    read() {
      try {
        return JSON.parse(readFileSync(file, 'utf8'))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    /** @param {Connection} connection */
    write(connection) {
      // Beside it and then in its place: whenever the power fails, one of the two is whole.
      writeFileSync(`${file}.new`, JSON.stringify(connection), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
    clear: () => rmSync(file, { force: true }),
  }
}

/** @typedef {ReturnType<typeof openStore>} Store */
