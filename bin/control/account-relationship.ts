/** Command that shows follows, blocks and mutes between two accounts. */

import { type AccountRecord, showRelationship } from '@murmuration/contracts/accounts'
import type { ResultOf } from '@murmuration/contracts/kit'
import { accountNamed, handleName } from './account-names.js'
import type { Operator } from './operator.js'
import { type Commands, examples } from './result.js'

/**
 * Relationship of an account to another one, as this server stores it. Members that other servers do not report are null for a
 * remote account.
 */
interface Relation {
  account: string
  other: string
  following: boolean
  /** ISO 8601; time since when the account follows the other account. Null if it does not follow. */
  following_since: string | null
  /** True if a follow request waits for the approval of the other account. */
  requested: boolean
  /** The home feed shows boosts by the other account. Null without a follow or request, and for a remote account. */
  showing_boosts: boolean | null
  /** Languages of the posts that the home feed shows. Null for all languages, and for a remote account. */
  languages: string[] | null
  blocking: boolean
  domain_blocking: boolean | null
  muting: boolean | null
  /** The mute hides notifications as well. */
  muting_notifications: boolean | null
  /** ISO 8601; null if the mute does not end. */
  muting_expires_at: string | null
}

const relationOf = (
  account: AccountRecord,
  other: AccountRecord,
  { relationship: to }: ResultOf<typeof showRelationship.output>,
): Relation => {
  const isLocal = account.domain === null
  const [following, requested] = [to?.following ?? false, to?.requested ?? false]
  return {
    account: account.acct,
    other: other.acct,
    following,
    following_since: to?.following_since ?? null,
    requested,
    showing_boosts: isLocal && (following || requested) ? (to?.showing_reblogs ?? null) : null,
    languages: isLocal ? (to?.languages ?? null) : null,
    blocking: to?.blocking ?? false,
    domain_blocking: isLocal ? (to?.domain_blocking ?? false) : null,
    muting: isLocal ? (to?.muting ?? false) : null,
    muting_notifications: isLocal ? (to?.muting_notifications ?? false) : null,
    muting_expires_at: isLocal ? (to?.muting_expires_at ?? null) : null,
  }
}

const yes = (is: boolean): string => (is ? 'yes' : 'no')

const followText = (one: Relation): string => {
  if (!one.following && !one.requested) return 'no'
  return [
    one.following ? `yes, since ${one.following_since}` : 'waits for approval',
    ...(one.showing_boosts === false ? ['without boosts'] : []),
    ...(one.languages === null ? [] : [`only posts in ${one.languages.join(' ')}`]),
  ].join(', ')
}

const muteText = (one: Relation): string => {
  if (!one.muting) return 'no'
  const scope = one.muting_notifications ? 'yes, with notifications' : 'yes, without notifications'
  return one.muting_expires_at === null ? scope : `${scope}, until ${one.muting_expires_at}`
}

const linesOf = (one: Relation): string[] => [
  `@${one.account} follows @${one.other}: ${followText(one)}`,
  `@${one.account} blocks @${one.other}: ${yes(one.blocking)}`,
  ...(one.domain_blocking === null || !one.other.includes('@')
    ? []
    : [`@${one.account} blocks the domain of @${one.other}: ${yes(one.domain_blocking)}`]),
  ...(one.muting === null ? [] : [`@${one.account} mutes @${one.other}: ${muteText(one)}`]),
]

const relationBetween = async (operator: Operator, account: AccountRecord, other: AccountRecord): Promise<Relation> =>
  relationOf(account, other, await operator.call(showRelationship, { account: account.id, other: other.id }))

export const addRelationshipCommand = ({ group, run }: Commands): void => {
  group('account', '')
    .command('relationship')
    .argument('<account>', 'name, such as alice or bob@other.example', handleName)
    .argument('<other>', 'name of the other account', handleName)
    .description(
      'Show whether two accounts follow, requested to follow, block or mute each other, as this server stores it.',
    )
    .addHelpText('after', examples('account relationship alice bob@other.example'))
    .action(
      run(async (operator, account, other) => {
        const [first, second] = [await accountNamed(operator, account), await accountNamed(operator, other)]
        const data = await Promise.all([
          relationBetween(operator, first, second),
          relationBetween(operator, second, first),
        ])
        return { data, text: data.flatMap(linesOf).join('\n') }
      }),
    )
}
