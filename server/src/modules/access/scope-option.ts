import { allScopes } from './scopes.ts'

/** The scopes that `--scopes` names: separated by spaces or commas, or `all` for every scope there is. */
export const scopesIn = (text: string): readonly string[] =>
  text === 'all' ? allScopes : text.split(/[\s,]+/).filter((scope) => scope !== '')

/** For the help of a command with `--scopes`. */
export const scopesHelp = `\nScopes:\n  ${allScopes.join('\n  ')}`
