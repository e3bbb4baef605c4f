/**
 * The module that declares the scopes fills this in. The kernel knows that scopes exist but does not know their
 * names.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- merged with the declaration in modules/access/scopes.ts
export interface ScopeNames {}

export type Scope = keyof ScopeNames & string
