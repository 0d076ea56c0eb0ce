/** Rows of preview cards. */
import { bigints, type Reader, sql } from '@murmuration/db'

export interface PreviewRow {
  id: string
  url: string
  type: PreviewType
  article: boolean
  title: string
  description: string
  language: string | null
  author_name: string
  author_url: string
  author_id: string | null
  claimed_author_id: string | null
  provider_name: string
  provider_url: string
  html: string
  width: number
  height: number
  embed_url: string
  image_id: string | null
  image_description: string
  published_at: Date | null
}

const columns = sql`id, url, type, article, title, description, language, author_name, author_url, author_id,
  claimed_author_id, provider_name, provider_url, html, width, height, embed_url, image_id, image_description, published_at`

/** Rows of preview cards, by the id of the preview card. */
export const previewsOf = async (db: Reader, ids: readonly string[]): Promise<Map<string, PreviewRow>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<Omit<PreviewRow, 'type'> & { type: number }>(
    sql`select ${columns} from previews where id = any(${bigints(ids)})`,
  )
  return new Map(rows.map((row) => [row.id, { ...row, type: PREVIEW_TYPES[row.type] ?? 'link' }]))
}

export const PREVIEW_TYPES = ['link', 'photo', 'video'] as const

export type PreviewType = (typeof PREVIEW_TYPES)[number]
