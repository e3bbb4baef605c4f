/** Filled in by the module that declares the scopes. The kernel knows that there are scopes, and none by name. */
// oxlint-disable-next-line typescript/no-empty-object-type -- merged with the declaration in modules/access/scopes.ts
export interface ScopeNames {}

export type Scope = keyof ScopeNames & string
