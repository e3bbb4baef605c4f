import type { House } from '#kernel/context.ts'
import { isId } from '#kernel/ids.ts'
import { findApp } from './app-queries.ts'
import { type Verdict, judgeAuthorize } from './authorize-request.ts'
import { readForm } from './form.ts'

/** What there is to be said to a query of the authorize endpoint, as things are now. */
export async function judgeQuery({ database }: House, query: string, issuer: string): Promise<Verdict> {
  const form = readForm(query)
  const id = form.values.get('client_id') ?? ''
  const app = isId(id) ? await findApp(database.directory, id) : undefined
  return judgeAuthorize(form, app?.disabled_at === null ? app : undefined, issuer)
}
