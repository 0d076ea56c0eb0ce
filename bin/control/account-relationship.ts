/** Command that shows the follows and blocks between two accounts. */

import { type AccountRecord, type AccountRelationship, viewersFacts } from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import { accountNamed, handleName } from './account-names.js'
import { type Commands, examples } from './result.js'

/** Relationship of an account to another one, as this server stores it. */
interface Relation {
  account: string
  other: string
  following: boolean
  /** ISO 8601; null if the account does not follow. */
  following_since: string | null
  /** The follow waits for the approval of the other account. */
  requested: boolean
  blocking: boolean
  /** Null for a remote account: other servers do not report it. */
  domain_blocking: boolean | null
}

const relationOf = (
  account: AccountRecord,
  other: AccountRecord,
  to: AccountRelationship | undefined,
  back: AccountRelationship | undefined,
): Relation => ({
  account: account.acct,
  other: other.acct,
  following: to?.following ?? false,
  following_since: back?.followed_by_since ?? null,
  requested: to?.requested ?? false,
  blocking: to?.blocking ?? false,
  domain_blocking: account.domain === null ? (to?.domain_blocking ?? false) : null,
})

const yes = (is: boolean): string => (is ? 'yes' : 'no')

const linesOf = (one: Relation): string[] => {
  const follows = one.following ? `yes, since ${one.following_since}` : one.requested ? 'waits for approval' : 'no'
  return [
    `@${one.account} follows @${one.other}: ${follows}`,
    `@${one.account} blocks @${one.other}: ${yes(one.blocking)}`,
    ...(one.domain_blocking === null || !one.other.includes('@')
      ? []
      : [`@${one.account} blocks the domain of @${one.other}: ${yes(one.domain_blocking)}`]),
  ]
}

export const addRelationshipCommand = ({ group, run }: Commands): void => {
  group('account', '')
    .command('relationship')
    .argument('<account>', 'name, such as alice or bob@other.example', handleName)
    .argument('<other>', 'name of the other account', handleName)
    .description('Show whether two accounts follow, requested to follow or block each other, as this server stores it.')
    .addHelpText('after', examples('account relationship alice bob@other.example'))
    .action(
      run(async (operator, account, other) => {
        const [first, second] = [await accountNamed(operator, account), await accountNamed(operator, other)]
        const targetsByViewer = { [first.id]: [second.id], [second.id]: [first.id] }
        const { [olderNames.relationships]: relationships } = await operator.call(viewersFacts, {
          asked: targetsByViewer,
        })
        const [to, back] = [relationships[first.id]?.[second.id], relationships[second.id]?.[first.id]]
        const data = [relationOf(first, second, to, back), relationOf(second, first, back, to)]
        return { data, text: data.flatMap(linesOf).join('\n') }
      }),
    )
}
