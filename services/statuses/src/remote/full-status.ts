/** Builds a remote status as it is stored: its row, mentions, tags and poll. */
import type { AccountRecord } from '@murmuration/contracts/accounts'
import type { RemoteStatus } from '@murmuration/contracts/statuses'
import { policyBits } from '../core/quote/rules.js'
import { isListed, type ReplyColumns } from '../core/reply/rules.js'
import type { FullStatus } from '../core/status/new-status.js'
import { editedAtOrNull, editTimeOf, isRecent } from '../core/status/remote.rules.js'
import { levelOf } from '../core/visibility/rules.js'
import { tagsOf } from './parts.js'

/** Maximum number of mentions of a remote status. A status with many more mentions is an attack. */
const MAX_MENTIONS = 500

export const fullStatusOf = (
  status: RemoteStatus,
  author: AccountRecord,
  id: string,
  parts: { createdAt: Date; reply: ReplyColumns | null; conversation: string; now: number } & Pick<
    FullStatus['row'],
    'emojis' | 'media_ids'
  > & { poll: FullStatus['poll'] },
): FullStatus => {
  const isReply = status.in_reply_to !== null
  return {
    // A status that was published long ago is stored and shown, but enters no feeds and causes no notifications.
    push: status.push && isRecent(parts.createdAt, parts.now),
    mentions: status.mentions.slice(0, MAX_MENTIONS),
    tags: tagsOf(status),
    ...(status.unreached && { unreached: status.unreached }),
    ...(parts.poll ? { poll: parts.poll } : {}),
    row: {
      id,
      author_id: author.id,
      local: false,
      visibility: levelOf(status.visibility),
      uri: status.uri,
      url: status.url,
      ...parts.reply,
      in_reply_to_uri: isReply && !parts.reply ? status.in_reply_to : null,
      conversation_id: parts.conversation,
      html: status.html,
      spoiler_text: status.spoiler_text,
      sensitive: status.sensitive || status.spoiler_text !== '',
      language: status.language,
      media_ids: parts.media_ids ?? [],
      emojis: parts.emojis ?? [],
      poll_id: parts.poll?.id ?? null,
      quote_policy: policyBits(status.quote_policy),
      has_quote: status.quote !== null,
      listed: isListed({
        visibility: status.visibility,
        authorId: author.id,
        isReblog: false,
        isReply,
        inReplyToAccountId: parts.reply?.in_reply_to_account_id ?? null,
      }),
      created_at: parts.createdAt,
      edited_at: editedAtOrNull(editTimeOf(status), parts.now),
    },
  }
}
