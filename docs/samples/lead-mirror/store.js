import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * @typedef {object} Connection
 * @property {import('gable').Tokens} tokens
 * @property {{ id: string, secret: string }} [webhook]
 */

/**
 * Stores the connection in a file that only its owner can read. In production, use an encrypted row per customer in your
 * database. Synchronous, so that nothing else runs between reading and writing.
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
      // Write a new file, then rename it, so that a crash leaves one of the two intact.
      writeFileSync(`${file}.new`, JSON.stringify(connection), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
    clear: () => rmSync(file, { force: true }),
  }
}

/** @typedef {ReturnType<typeof openStore>} Store */
