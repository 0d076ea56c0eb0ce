/** Permission to reply to a remote status: at once, after its author's approval, or not at all (interaction policies). */
import type { RemoteStatus } from '@murmuration/contracts/statuses'

/**
 * Reply policy of a remote status: groups by name (`public`, `followers`, `following`), and actors by their ActivityPub
 * id.
 */
export type ReplyPolicy = NonNullable<RemoteStatus['reply_policy']>

/** `automatic`: may reply; `manual`: the reply is held until the parent's author approves it; `denied`: may not reply. */
export type ReplyPermission = 'automatic' | 'manual' | 'denied'

const GROUPS: readonly string[] = ['public', 'followers', 'following']
const hasGroup = (names: readonly string[]): boolean => names.some((name) => GROUPS.includes(name))

/**
 * Permission of an account to reply. Actors named by id have precedence over groups. The author's server decides
 * whether an account is a follower: its approval proves the follow.
 * @param policy null if everyone may reply
 * @param replyAuthor `named` if the status mentions or replies to the account, which may then always reply
 */
export const replyPermission = (
  policy: ReplyPolicy | null,
  replyAuthor: { uri: string; named: boolean },
): ReplyPermission => {
  if (policy === null || replyAuthor.named || policy.automatic.includes(replyAuthor.uri)) return 'automatic'
  if (policy.manual.includes(replyAuthor.uri)) return 'manual'
  if (policy.automatic.includes('public')) return 'automatic'
  return hasGroup(policy.automatic) || hasGroup(policy.manual) ? 'manual' : 'denied'
}
