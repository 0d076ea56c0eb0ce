/** Permission to reply to a remote status: at once, after its author's approval, or not at all (interaction policies). */
import type { RemoteStatus } from '@murmuration/contracts/statuses'

/** Groups by name, actors by id. */
export type ReplyPolicy = NonNullable<RemoteStatus['reply_policy']>

/** `asked`: the answer waits until the author of what it answers approves it. */
export type ReplyPermission = 'free' | 'asked' | 'refused'

const GROUPS: readonly string[] = ['public', 'followers', 'following']
const hasGroup = (names: readonly string[]): boolean => names.some((name) => GROUPS.includes(name))

/**
 * Permission of an account to reply. Actors named by id count before groups. The author's server decides whether an account
 * is a follower: its approval proves it to everybody.
 * @param policy null where everybody may
 * @param writer `named` when the status mentions or answers them: they may always answer
 */
export const replyPermission = (
  policy: ReplyPolicy | null,
  writer: { uri: string; named: boolean },
): ReplyPermission => {
  if (policy === null || writer.named || policy.automatic.includes(writer.uri)) return 'free'
  if (policy.manual.includes(writer.uri)) return 'asked'
  if (policy.automatic.includes('public')) return 'free'
  return hasGroup(policy.automatic) || hasGroup(policy.manual) ? 'asked' : 'refused'
}
