import { allScopes } from './scopes.ts'

/** Parses the value of `--scopes`: scopes separated by spaces or commas, or `all` for every scope. */
export const scopesIn = (text: string): readonly string[] =>
  text === 'all' ? allScopes : text.split(/[\s,]+/).filter((scope) => scope !== '')

/** The list of scopes for the help of a command with `--scopes`. */
export const scopesHelp = `\nScopes:\n  ${allScopes.join('\n  ')}`
