/** Preview cards as JSON. Rows are cached for a minute and joined with their picture and author. */
import type { CardCache } from '@murmuration/cards'
import type { Account, MediaAttachment, PreviewCard } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import { createMemoryCache } from '@murmuration/flow'
import type { BaseContext } from '@murmuration/kernel'
import { webUrl } from '@murmuration/text'
import type { LoadedStatus } from '../viewer/loaded-status.store.js'
import { type PreviewRow, previewsOf } from './store.js'

const KEPT_MS = 60_000
const MAX_KEPT = 20_000

/** Preview cards by id. A process reads each card at most once a minute. */
export interface Previews {
  many(ids: readonly string[]): Promise<Map<string, PreviewRow>>
}

export const createPreviews = ({ db, clock }: Pick<BaseContext, 'db' | 'clock'>): Previews => {
  const kept = createMemoryCache<PreviewRow>({ max: MAX_KEPT, ttlMs: KEPT_MS, now: clock.now })
  return { many: (ids) => kept.many(ids, (missing) => previewsOf(db, missing)) }
}

/** A preview card with its picture and author account. */
export interface SeenPreview {
  row: PreviewRow
  image: { url: string; blurhash: string | null; width: number; height: number } | null
  author: Json<Account> | null
}

interface Picture {
  url: string | null
  preview_url: string | null
  blurhash: string | null
  meta: Record<string, { width?: number; height?: number } | undefined> | null
}

const imageIn = (text: string | undefined): SeenPreview['image'] => {
  if (text === undefined) return null
  const { url, preview_url, blurhash, meta } = JSON.parse(text) as Picture
  const shown = webUrl(preview_url ?? url)
  const size = meta?.small ?? meta?.original
  return shown === null ? null : { url: shown, blurhash, width: size?.width ?? 0, height: size?.height ?? 0 }
}

interface Needs {
  readonly previews: Previews
  readonly mediaCards: CardCache<MediaAttachment>
  readonly accountCards: CardCache<Account>
}

/** Preview cards of statuses, by preview id. If no status of the page has a preview card, no query is sent. */
export const previewsFor = async (
  ctx: Needs,
  statuses: Iterable<Pick<LoadedStatus, 'preview_id'>>,
): Promise<Map<string, SeenPreview>> => {
  const ids = [...statuses].flatMap((status) => status.preview_id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await ctx.previews.many(ids)
  const all = [...rows.values()]
  const [images, authors] = await Promise.all([
    ctx.mediaCards.many(all.flatMap((row) => row.image_id ?? [])),
    ctx.accountCards.many(all.flatMap((row) => row.author_id ?? [])),
  ])
  return new Map(
    all.map((row) => [
      row.id,
      {
        row,
        image: imageIn(images.get(row.image_id ?? '')),
        author: authors.get(row.author_id ?? '') ?? null,
      },
    ]),
  )
}

/** JSON of a preview card. `url`: the link as written in the status. */
export const previewText = ({ row, image, author }: SeenPreview, url: string, viewerId: string | null): string => {
  const own = author === null ? null : (JSON.parse(author) as Account)
  const name = row.author_name
  const named = own !== null || name !== ''
  return toJson<PreviewCard>({
    url,
    title: row.title,
    description: row.description,
    language: row.language,
    type: row.type,
    author_name: name,
    author_url: row.author_url,
    provider_name: row.provider_name,
    provider_url: row.provider_url,
    html: row.html,
    width: row.width || image?.width || 0,
    height: row.height || image?.height || 0,
    image: image?.url ?? null,
    image_description: row.image_description,
    embed_url: row.embed_url,
    blurhash: image?.blurhash ?? null,
    published_at: row.published_at?.toISOString() ?? null,
    authors: named
      ? [{ name: name || (own?.display_name ?? ''), url: row.author_url || (own?.url ?? ''), account: own }]
      : [],
    ...(viewerId === null ? {} : { missing_attribution: row.claimed_author_id === viewerId }),
  })
}
