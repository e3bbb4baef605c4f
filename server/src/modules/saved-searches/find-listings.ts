import type { Db } from '#kernel/db/handles.ts'
import type { Page } from '#kernel/http/paging.ts'
import { type Listing, listingsOnMarket } from '../listings/public.ts'
import { type Criteria, matches } from './criteria.ts'
import { type News, type NewsSpan, newsOf } from './news.ts'

/** A matching listing and the reason why it is news. */
export interface Found {
  listing: Listing
  news: News
}

/** All listings that match and became news within the span, latest news first. */
export async function findNews(db: Db, criteria: Criteria, span: NewsSpan): Promise<Found[]> {
  const found: Found[] = []
  for await (const listing of listingsOnMarket(db, { newsSince: span.since })) {
    const news = matches(criteria, listing) ? newsOf(listing, span) : undefined
    if (news !== undefined) found.push({ listing, news })
  }
  return found.toSorted((one, other) =>
    (one.listing.news_at ?? '') < (other.listing.news_at ?? '') ? 1 : -1,
  )
}

/** One page of matching listings, newest first. */
export async function findMatches(
  db: Db,
  criteria: Criteria,
  { before, limit, selection }: Page,
): Promise<Listing[]> {
  const found: Listing[] = []
  for await (const listing of listingsOnMarket(db, { before, selection })) {
    if (matches(criteria, listing)) found.push(listing)
    if (found.length === limit) break
  }
  return found
}
