import type { ProviderAccount, ProviderTemplate } from '../../modules/messages/ports.ts'
import { objectOf, objectsIn, unexpected } from '../replies.ts'
import { type MetaPlace, getFromMeta } from './meta-api.ts'

/** Small enough for a page of long templates to fit the response limit. */
const pageSize = '50'

/** An account has at most 6,000 templates. */
const maxPages = 200

/**
 * The templates whose variables Gable can fill: `{{1}}`, `{{2}}` … in the body, and none elsewhere. Throws if the list
 * can't be read to the end.
 */
export async function listMetaTemplates(
  place: MetaPlace,
  account: ProviderAccount,
): Promise<ProviderTemplate[]> {
  const listed: ProviderTemplate[] = []
  let after = ''
  for (let pages = 0; pages < maxPages; pages++) {
    const query = new URLSearchParams({
      fields: 'name,language,status,category,components',
      limit: pageSize,
      ...(after !== '' && { after }),
    })
    const path = `${encodeURIComponent(account.name)}/message_templates?${query}`
    const reply = await getFromMeta(place, account, path)
    if (reply.status !== 200) throw unexpected('Meta’s templates', reply)
    const { data, paging } = objectOf(reply)
    listed.push(...objectsIn(data).flatMap(templateOf))
    const next = nextOf(paging)
    if (next === undefined) return listed
    after = next
  }
  throw new Error(`Meta lists more than ${maxPages} pages of templates.`)
}

/** The cursor of the next page, or undefined. */
function nextOf(paging: unknown): string | undefined {
  const { next, cursors } = { ...(paging as { next?: unknown; cursors?: { after?: unknown } | null } | null) }
  const after = cursors?.after
  return typeof next === 'string' && typeof after === 'string' && after !== '' ? after : undefined
}

function templateOf(listed: Record<string, unknown>): ProviderTemplate[] {
  const { name, language, category, status } = listed
  const components = objectsIn(listed['components'])
  const body = components.find(({ type }) => type === 'BODY')?.['text']
  if (![name, language, category, status, body].every((value) => typeof value === 'string')) return []
  const others = components.filter(({ type }) => type !== 'BODY')
  if (others.some(needsMore) || !/^(?:(?!\{\{).|\{\{\d+\}\})*$/s.test(String(body))) return []
  return [{ name, language, category, status, body } as ProviderTemplate]
}

/** Whether a component other than the body needs a file or a variable. */
const needsMore = (component: Record<string, unknown>): boolean =>
  (component['type'] === 'HEADER' && component['format'] !== 'TEXT') ||
  JSON.stringify([component['text'], component['buttons']]).includes('{{')
