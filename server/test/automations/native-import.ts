/** Imports with Node instead of the test runner, which has its own module cache and ignores Node's hooks. */
export const nativeImport = (url: string): Promise<Record<string, unknown>> => import(url)
