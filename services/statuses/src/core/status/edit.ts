/** Edits local and remote statuses, with their history, in the caller's transaction. */
import { assignConversation, fanOut, previewLink, recheckFiles, statusEdited } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../../context.js'
import { countFeatured, uncountFeatured } from '../tag/featured.store.js'
import { insertTags, removeTags, type TagName } from '../tag/store.js'
import { visibilityOf } from '../visibility/rules.js'
import { type Content, filesOfHiddenVersion, hasEdits, insertEdit, updateContent } from './edit.store.js'
import { type Mention, replaceMentions } from './mention.store.js'
import type { StatusRow } from './store.js'

export interface Described {
  id: string
  description: string | null
  /** Focal point and preview image. The history does not store them. */
  focus?: readonly number[] | null
  preview_url?: string | null
}

/** One version of a status: the columns that an edit replaces, and what the history stores with them. */
export interface Version extends Omit<Content, 'tags' | 'media_ids' | 'edited_at'> {
  tags: readonly TagName[]
  mentions: readonly Mention[]
  media: readonly Described[]
  pollOptions: readonly string[] | null
  /** Whether the status quotes another one. An edit in this module never changes which status is quoted. */
  has_quote: boolean
}

/** The stored version of a status, before an edit. */
export const versionOf = (
  row: StatusRow,
  media: readonly Described[],
  pollOptions: readonly string[] | null,
): Version => ({
  text: row.text,
  html: row.html,
  spoiler_text: row.spoiler_text,
  sensitive: row.sensitive,
  language: row.language,
  emojis: row.emojis,
  poll_id: row.poll_id,
  tags: row.tags.map((name) => ({ name, display: name })),
  mentions: row.mentions,
  media,
  pollOptions,
  has_quote: row.has_quote,
})

/** Whether readers see a difference between two versions. */
export const differs = (one: Version, other: Version): boolean => {
  const seen = (v: Version) =>
    JSON.stringify([v.text, v.html, v.spoiler_text, v.sensitive, v.language, v.media, v.pollOptions, v.has_quote])
  return seen(one) !== seen(other)
}

const editRow = (ctx: Context, status: string, at: Date, v: Version) => ({
  id: ctx.ids.next(),
  status_id: status,
  created_at: at,
  text: v.text,
  html: v.html,
  spoiler_text: v.spoiler_text,
  sensitive: v.sensitive,
  emojis: [...v.emojis],
  media: v.media.map(({ id, description }) => ({ id, description })),
  poll_options: v.pollOptions === null ? null : [...v.pollOptions],
  has_quote: v.has_quote,
})

/**
 * The time of an edit of a local status, which is locked. It is later than each earlier time of the status, because other
 * servers ignore an older edit, and the clocks of two processes may differ.
 */
export const editTime = ({ clock }: Pick<Context, 'clock'>, row: StatusRow): Date =>
  new Date(Math.max(clock.now(), (row.edited_at ?? row.created_at).getTime() + 1))

/** Updates the counts of the author's featured hashtags after the hashtags of a status changed. */
const recount = async (tx: Tx, row: StatusRow, tags: readonly TagName[]): Promise<void> => {
  const names = tags.map((tag) => tag.name)
  const lost = row.tags.filter((tag) => !names.includes(tag)).map((tag) => ({ author: row.author_id, tag }))
  await uncountFeatured(tx, lost)
  const fresh = names.filter((name) => !row.tags.includes(name))
  await countFeatured(tx, row.author_id, fresh, row.created_at)
}

/**
 * Stores and announces a new version of a status, and queues the update of feeds, preview card and conversations. The caller
 * has locked the row and found a difference.
 */
export const applyEdit = async (
  ctx: Context,
  tx: Tx,
  row: StatusRow,
  before: Version,
  after: Version,
  editedAt: Date,
): Promise<void> => {
  if (!(await hasEdits(tx, row.id))) await insertEdit(tx, editRow(ctx, row.id, row.created_at, before))
  await insertEdit(tx, editRow(ctx, row.id, editedAt, after))
  const hidden = await filesOfHiddenVersion(tx, row.id)
  if (hidden.length > 0) await ctx.queue(tx, recheckFiles, { status: row.id, files: hidden })
  await updateContent(tx, row.id, {
    ...after,
    tags: after.tags.map((tag) => tag.name),
    media_ids: after.media.map((one) => one.id),
    edited_at: editedAt,
  })
  await replaceMentions(tx, row.id, after.mentions)
  await removeTags(tx, [row.id])
  await insertTags(tx, row.id, after.tags, () => ctx.ids.next())
  if (row.visibility <= 1) await recount(tx, row, after.tags)
  const shown = (mentions: readonly Mention[]) => mentions.filter((one) => !one.silent).map((one) => one.id)
  const addedTo = (ids: readonly string[]) => ids.filter((id) => !shown(before.mentions).includes(id))
  // Mentions of a held status are not announced before its release.
  const mentions = row.held ? [] : shown(after.mentions)
  await ctx.announce(tx, statusEdited, {
    id: row.id,
    author: row.author_id,
    local: row.local,
    visibility: visibilityOf(row.visibility),
    reblogOf: null,
    reblogOfAuthor: null,
    reblogOfLocal: false,
    mentions,
    added: addedTo(mentions),
    inReplyToAuthor: row.in_reply_to_author_id,
    tags: after.tags.map((tag) => tag.name),
    hasMedia: after.media.length > 0,
    editedAt: editedAt.toISOString(),
  })
  // The new text may contain another link, and an attachment hides the preview card. The preview card is therefore
  // queued again.
  if (before.html !== after.html || before.media.length !== after.media.length)
    await ctx.queue(tx, previewLink, { status: row.id })
  await ctx.queue(tx, fanOut, { status: row.id, edited: row.rev + 1 })
  if (visibilityOf(row.visibility) === 'direct')
    await ctx.queue(tx, assignConversation, { status: row.id, added: addedTo(shown(after.mentions)) })
}
