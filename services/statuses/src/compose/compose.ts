/**
 * Turns the input of a new status into a status that is ready to be stored. Accounts and emojis are requested here, before the
 * transaction. Attachments are reserved later (`create.ts`).
 */
import { type AccountRecord, accountCards, type showAuthor } from '@murmuration/contracts/accounts'
import type { StatusApplication, Visibility } from '@murmuration/contracts/entities'
import { fail, type ResultOf } from '@murmuration/contracts/kit'
import { repliedToOf, waitingOf } from '../approval/index.js'
import type { Context } from '../context.js'
import { statusUri, statusUrl } from '../core/address/rules.js'
import { authorFlag, insertMissingAuthors, showApplication } from '../core/author/store.js'
import { type PollDraft, type PollInput, validatePoll } from '../core/poll/rules.js'
import { policyFor, QUOTE_POLICIES, type QuotePolicy, quoteLevelOf } from '../core/quote/rules.js'
import { isListed, type ReplyColumns, replyTo } from '../core/reply/rules.js'
import { type Draft, type DraftInput, validateDraft, validateTexts } from '../core/status/draft.rules.js'
import type { FullStatus } from '../core/status/new-status.js'
import type { Emoji } from '../core/status/store.js'
import type { AuthorState } from '../core/viewer/loaded-status.store.js'
import { HELD, levelOf } from '../core/visibility/rules.js'
import { newPoll } from '../poll/index.js'
import { loadAuthor, type Mentioned, mentionsOf, refuseInactive } from './mention.js'
import { quotedOf, quotedReader, quotedVisibility, quotingOf } from './quoted.js'
import { characterLimit, emojisIn, refuseUnusable, writeText } from './text.js'

type PostingDefaults = ResultOf<typeof showAuthor.output>['defaults']

export interface ComposeInput extends DraftInput {
  in_reply_to_id?: string | null | undefined
  quoted_status_id?: string | null | undefined
  poll?: PollInput | null | undefined
  quote_approval_policy?: string | null | undefined
  allowed_mentions?: readonly string[] | undefined
}

/**
 * Throws 422 with the accounts if the text mentions anyone who is not in `allowed`. Without `allowed`, mentions are not
 * checked.
 */
const checkAllowed = async (
  ctx: Context,
  author: string,
  mentioned: Mentioned,
  allowed: readonly string[] | undefined,
): Promise<void> => {
  if (allowed === undefined) return
  const unexpected = mentioned.mentionedAccounts
    .filter((one) => one.id !== author && !allowed.includes(one.id))
    .map((one) => one.id)
  if (unexpected.length === 0) return
  const cards = await ctx.call(accountCards, { ids: unexpected })
  throw fail('unprocessable', 'Post would be sent to unexpected accounts', {
    body: { unexpected_accounts: [...cards.values()].map((card) => JSON.parse(card)) },
  })
}

/** Stores the author's flags if none are stored, or their `show_application` preference if it changed. */
const rememberAuthor = async (
  ctx: Context,
  known: Awaited<ReturnType<typeof authorFlag>>,
  record: AccountRecord,
  defaults: PostingDefaults,
): Promise<void> => {
  if (known === null) await insertMissingAuthors(ctx.db, [record], defaults.show_application)
  else if (known.shows_application !== defaults.show_application)
    await showApplication(ctx.db, record.id, defaults.show_application)
}

/** Locale of the request and the app that sent it. */
export interface Origin {
  locale: string
  application: StatusApplication | null | Promise<StatusApplication | null>
}

export interface Composed {
  draft: Draft
  quotePolicy: number
  /** Id of the status that is replied to, and of the quoted status; of a boost, the original. Null if none. */
  parentId: string | null
  quotedId: string | null
  /** Records of the mentioned accounts. */
  mentionedAccounts: readonly AccountRecord[]
  /** The author's part of the loaded status; null if the author's flags were not stored before. */
  author: AuthorState | null
  /** Builds the complete status from its id and creation time. */
  full(id: string, createdAt: Date): FullStatus
}

/**
 * Number that is stored for the requested quote policy, or for `fallback` if none is requested. Throws 422 for an
 * unknown policy.
 */
export const quotePolicy = (
  given: string | null | undefined,
  fallback: QuotePolicy,
  visibility: Visibility,
): number => {
  const known = typeof given === 'string' ? QUOTE_POLICIES.find((one) => one === given) : fallback
  if (known === undefined) throw fail('unprocessable', 'Record invalid')
  return quoteLevelOf(policyFor(visibility, known))
}

export const compose = async (ctx: Context, author: string, input: ComposeInput, from: Origin): Promise<Composed> => {
  const policy = ctx.policy.settings()
  const [{ author: record, defaults, named, disabled }, flag, parent, quoted, application] = await Promise.all([
    loadAuthor(ctx, author, input.status ?? input.spoiler_text ?? ''),
    authorFlag(ctx.db, author),
    input.in_reply_to_id ? repliedToOf(ctx, author, input.in_reply_to_id) : null,
    input.quoted_status_id ? quotedOf(ctx, author, input.quoted_status_id) : null,
    from.application,
  ])
  refuseInactive({ author: record, disabled })
  const valid = validateDraft(input, defaults, {
    maxCharacters: characterLimit(ctx, validateTexts(input.status, input.spoiler_text, quoted !== null)),
    silenced: record.silenced,
    locale: from.locale,
    serverLanguage: policy.languages[0],
    quotes: quoted !== null,
  })
  const draft = { ...valid, visibility: quotedVisibility(quoted, valid.visibility) }
  const poll = input.poll ? validatePoll(input.poll, ctx.clock.now()) : null
  const quote_policy = quotePolicy(input.quote_approval_policy, defaults.quote_policy, draft.visibility)
  const [mentioned, emojis] = await Promise.all([
    mentionsOf(ctx, author, draft.text, named),
    emojisIn(ctx, [draft.text, draft.spoiler, ...(poll?.options ?? [])]),
    rememberAuthor(ctx, flag, record, defaults),
  ])
  await checkAllowed(ctx, author, mentioned, input.allowed_mentions)
  const quote = quoted && quotingOf(quoted, author, draft.visibility, mentioned)
  const reply = parent === null ? null : replyTo(parent, author)
  const waiting = waitingOf(parent, record.uri, { quotes: quoted !== null })
  const { text, html, tags } = writeText(ctx, draft.text, mentioned, quoted && (quoted.url ?? quoted.uri))
  await refuseUnusable(ctx, tags)
  return {
    draft,
    quotePolicy: quote_policy,
    parentId: parent?.id ?? null,
    quotedId: quoted?.id ?? null,
    mentionedAccounts: mentioned.mentionedAccounts,
    author: flag && {
      suspended: false,
      silenced: record.silenced,
      sensitized: record.sensitized,
      domain: null,
      shows_application: defaults.show_application,
      filter_rev: flag.filter_rev,
    },
    full: (id, createdAt) =>
      wholeOf({
        id,
        pollId: poll && ctx.ids.next(),
        poll,
        createdAt,
        draft,
        record,
        reply,
        text,
        html,
        tags,
        emojis,
        application,
        quote_policy,
        mentioned,
        quote,
        waiting,
      }),
  }
}

const wholeOf = (parts: {
  id: string
  poll: PollDraft | null
  pollId: string | null
  createdAt: Date
  draft: Draft
  record: { id: string; uri: string; url: string }
  reply: ReplyColumns | null
  text: string
  html: string
  tags: FullStatus['tags']
  emojis: readonly Emoji[]
  application: StatusApplication | null
  quote_policy: number
  mentioned: Mentioned
  quote: FullStatus['quote'] | null
  waiting: ReturnType<typeof waitingOf>
}): FullStatus => {
  const { id, draft, record, reply, poll, pollId } = parts
  return {
    push: true,
    ...(parts.quote ? { quote: parts.quote } : {}),
    ...(parts.waiting ? { held: { ...parts.waiting, visibility: levelOf(draft.visibility) } } : {}),
    ...(poll && pollId ? { poll: newPoll(pollId, poll, { status: id, author: record.id, local: true }) } : {}),
    tags: parts.tags,
    mentions: [
      ...parts.mentioned.mentionedAccounts.map((one) => ({ id: one.id, silent: false })),
      ...(parts.quote ? quotedReader(parts.quote, record.id, draft.visibility, parts.mentioned) : []),
    ],
    row: {
      id,
      author_id: record.id,
      local: true,
      visibility: parts.waiting ? HELD : levelOf(draft.visibility),
      uri: statusUri(record.uri, id),
      url: statusUrl(record.url, id),
      conversation_id: id,
      ...reply,
      text: parts.text,
      html: parts.html,
      spoiler_text: draft.spoiler,
      sensitive: draft.sensitive,
      language: draft.language,
      application: parts.application,
      media_ids: draft.mediaIds,
      emojis: parts.emojis,
      quote_policy: parts.quote_policy,
      has_quote: parts.quote !== null,
      poll_id: pollId,
      listed: isListed({
        visibility: draft.visibility,
        authorId: record.id,
        isReblog: false,
        isReply: reply !== null,
        inReplyToAccountId: reply?.in_reply_to_account_id ?? null,
      }),
      created_at: parts.createdAt,
    },
  }
}
