/**
 * Edits a status of a local author. The rules of creation apply; a new version is stored only if readers see a
 * difference.
 */
import { type AttachmentRecord, attachmentRecords } from '@murmuration/contracts/media'
import { recheckFiles, statusInvalidation } from '@murmuration/contracts/statuses'
import type { Request } from '@murmuration/kernel'
import { pickLanguage } from '@murmuration/text'
import type { Context } from '../context.js'
import { type PollInput, validatePoll } from '../core/poll/rules.js'
import { pollsOf } from '../core/poll/store.js'
import { quotesOf } from '../core/quote/store.js'
import { checkTexts, type DraftInput, validateMedia, validateTexts } from '../core/status/draft.rules.js'
import { applyEdit, type Described, differs, editTime, type Version, versionOf } from '../core/status/edit.js'
import { type MediaEdit, takeMedia } from '../core/status/media.js'
import { lockForChange, rowOf, type StatusRow } from '../core/status/store.js'
import { noStatus } from '../core/visibility/find-status.js'
import { editPoll } from '../poll/index.js'
import { loadAuthor, mentionsOf, refuseInactive } from './mention.js'
import { characterLimit, emojisIn, refuseUnusable, writeText } from './text.js'

export interface EditInput extends DraftInput {
  poll?: PollInput | null | undefined
  media?: readonly MediaEdit[] | undefined
}

const seenOf = ({ id, description, focus, preview_url }: AttachmentRecord): Described => ({
  id,
  description,
  focus,
  preview_url,
})

/** Description, focus and preview of the attachments as currently stored, in the order of `ids`. */
const described = async (ctx: Context, ids: readonly string[]): Promise<Described[]> => {
  if (ids.length === 0) return []
  const { records } = await ctx.call(attachmentRecords, { ids: [...ids] })
  return ids.flatMap((id) => records.filter((one) => one.id === id).map(seenOf))
}

/** Page of the status that `row` quotes, for the link before the edited text; null without a quote. */
const quotedUrlOf = async (ctx: Context, row: StatusRow): Promise<string | null> => {
  const quote = row.has_quote ? (await quotesOf(ctx.db, [row.id])).get(row.id) : undefined
  const quoted = quote?.quoted_id ? await rowOf(ctx.db, quote.quoted_id) : null
  return quoted && (quoted.url ?? quoted.uri)
}

/** Content of the edited status, except for attachments and poll. */
const textsOf = async (
  ctx: Context,
  row: StatusRow,
  input: EditInput,
  options: readonly string[],
  request: Request,
) => {
  const { text: typed, spoiler } = validateTexts(input.status, input.spoiler_text, row.has_quote)
  const parts = (input.media_ids?.length ?? 0) + Number(row.has_quote)
  checkTexts(typed, spoiler, parts, characterLimit(ctx, { text: typed, spoiler }))
  const [{ author, defaults, named, disabled }, quotedUrl] = await Promise.all([
    loadAuthor(ctx, row.author_id, typed),
    quotedUrlOf(ctx, row),
  ])
  refuseInactive({ author, disabled })
  const mentioned = await mentionsOf(ctx, row.author_id, typed, named)
  const { text, html, tags } = writeText(ctx, typed, mentioned, quotedUrl)
  await refuseUnusable(ctx, tags)
  return {
    text,
    html,
    tags,
    mentions: mentioned.mentionedAccounts.map((one) => ({ id: one.id, silent: false })),
    spoiler_text: spoiler,
    sensitive: input.sensitive === true || (input.spoiler_text ?? '').trim() !== '',
    language: pickLanguage(input.language, row.language, defaults.language, request.locale),
    emojis: await emojisIn(ctx, [text, spoiler, ...options]),
  }
}

/** Whether another edit changed what this edit read from `row` before it locked the status. */
const isOutdated = (row: StatusRow, now: StatusRow): boolean =>
  row.language !== now.language || row.has_quote !== now.has_quote || row.media_ids.join() !== now.media_ids.join()

/**
 * Stores the edit. Returns null if `row` is outdated. Attachments that the edit removes are not released, because the
 * history shows them (S-013). The job `recheckFiles` marks them as reserved now, so that the tick
 * `check-reserved-attachments` releases those that no shown version of the status has.
 */
const store = async (
  ctx: Context,
  row: StatusRow,
  texts: Awaited<ReturnType<typeof textsOf>>,
  media: { before: readonly Described[]; after: readonly Described[] },
  poll: ReturnType<typeof validatePoll> | null,
): Promise<boolean | null> =>
  ctx.db.tx(async (tx) => {
    if (!(await lockForChange(tx, row.id, row.author_id))) throw noStatus()
    const now = await rowOf(tx, row.id)
    if (!now) throw noStatus()
    if (isOutdated(row, now)) return null
    const old = now.poll_id === null ? null : ((await pollsOf(tx, [now.poll_id])).get(now.poll_id)?.options ?? null)
    const newPoll = await editPoll(ctx, tx, { status: row.id, author: row.author_id, pollId: now.poll_id }, poll)
    const before = versionOf(now, media.before, old)
    const after: Version = {
      ...texts,
      has_quote: now.has_quote,
      media: media.after,
      poll_id: newPoll.id,
      pollOptions: poll?.options ?? null,
    }
    if (!differs(before, after) && !newPoll.changed) return false
    await applyEdit(ctx, tx, now, before, after, editTime(ctx, now))
    const files = now.media_ids.filter((id) => !media.after.some((one) => one.id === id))
    if (files.length > 0) await ctx.queue(tx, recheckFiles, { status: row.id, files })
    return true
  })

/**
 * Applies the edit of a status by its local author. Returns false if nothing that readers see has changed. New
 * attachments of an edit that fails stay reserved until the tick `check-reserved-attachments` releases them. The edit may
 * be stored although the database reported an error, and a concurrent edit may have them. `read`: attachments as they were
 * before an attempt with an outdated row, which may have changed their descriptions.
 */
export const editOwn = async (
  ctx: Context,
  row: StatusRow,
  input: EditInput,
  request: Request,
  read: readonly Described[] = [],
): Promise<boolean> => {
  const poll = input.poll ? validatePoll(input.poll, ctx.clock.now()) : null
  const wanted = validateMedia(input.media_ids)
  const [texts, current] = await Promise.all([
    textsOf(ctx, row, input, poll?.options ?? [], request),
    described(ctx, row.media_ids),
  ])
  const before = current.map((one) => read.find(({ id }) => id === one.id) ?? one)
  const edits = (input.media ?? []).filter((one) => wanted.includes(one.id))
  // A refused edit must change no description. The first call therefore reserves the attachments without their changes.
  if (edits.length) await takeMedia(ctx, row.author_id, row.id, wanted)
  const taken = await takeMedia(ctx, row.author_id, row.id, wanted, { edits })
  // Deletes the descriptions from the cache of this process, so that the response shows the new ones. The media service
  // sends an invalidation to other processes.
  if (edits.length) ctx.mediaCards.invalidate(edits.map((one) => one.id))
  const after = wanted.flatMap((id) => taken.filter((one) => one.id === id).map(seenOf))
  const changed = await store(ctx, row, texts, { before, after }, poll)
  if (changed === null) {
    const now = await rowOf(ctx.db, row.id)
    if (!now) throw noStatus()
    return editOwn(ctx, now, input, request, before)
  }
  if (changed) ctx.invalidations.send(statusInvalidation, [row.id])
  return changed
}
