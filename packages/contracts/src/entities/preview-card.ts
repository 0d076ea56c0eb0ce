/** Schemas of link previews in statuses and in trends. */
import { z } from 'zod'
import { Account } from './account.js'
import { Html, LanguageCode, Timestamp, Url, UrlOrEmpty } from './primitive.js'
import { UsageDay } from './tag.js'

/**
 * An author of the linked page. `account` is the account that the page names. It is null unless the profile of that
 * account lists the page's domain.
 */
export const PreviewCardAuthor = z
  .strictObject({ name: z.string(), url: UrlOrEmpty, account: Account.nullable() })
  .meta({ id: 'PreviewCardAuthor', description: 'An author of a linked page.' })
export type PreviewCardAuthor = z.infer<typeof PreviewCardAuthor>

export const previewCardShape = {
  url: Url,
  title: z.string(),
  description: z.string(),
  language: LanguageCode.nullable(),
  type: z.enum(['link', 'photo', 'video', 'rich']),
  author_name: z.string(),
  author_url: UrlOrEmpty,
  provider_name: z.string(),
  provider_url: UrlOrEmpty,
  html: Html,
  width: z.int().nonnegative(),
  height: z.int().nonnegative(),
  image: Url.nullable(),
  image_description: z.string(),
  embed_url: UrlOrEmpty,
  blurhash: z.string().nullable(),
  published_at: Timestamp.nullable(),
  authors: z.array(PreviewCardAuthor).max(1),
  /**
   * For authenticated viewers only: true if the linked page names the viewer as author, but the viewer's profile does
   * not list the page's domain.
   */
  missing_attribution: z.boolean().optional(),
}

/** Preview of a link in a status. `url` is the link as the author of the status wrote it. */
export const PreviewCard = z
  .strictObject(previewCardShape)
  .meta({ id: 'PreviewCard', description: 'A preview of a link.' })
export type PreviewCard = z.infer<typeof PreviewCard>

export const trendsLinkShape = { ...previewCardShape, history: z.array(UsageDay) }

/** Preview of a trending link, with its history. */
export const TrendsLink = z
  .strictObject(trendsLinkShape)
  .meta({ id: 'TrendsLink', description: 'A trending link, with its use over the last seven days.' })
export type TrendsLink = z.infer<typeof TrendsLink>
