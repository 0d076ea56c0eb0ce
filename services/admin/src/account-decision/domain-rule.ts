/** Finds the domain rules that limit or suspend single accounts. */
import type { AdminRecord } from '@murmuration/contracts/accounts'
import type { Reader } from '@murmuration/db'
import type { Context } from '../context.js'
import type { State } from '../core/account-action.rules.js'
import { mayBeRuled } from '../core/account-state.rules.js'
import { stampInForce } from '../core/domain-policy.rules.js'
import { policiesOf } from '../core/domain-policy.store.js'

/** Domain of the account's handle, and host of its actor id. */
const domainsOf = ({ account }: AdminRecord): string[] => {
  const host = URL.parse(account.account.uri)?.host
  return [account.domain, host].filter((one) => one !== null && one !== undefined)
}

/** The stamps of the domain rules that limit or suspend these accounts now, by account id. */
export const rulesInForce = async (
  ctx: Pick<Context, 'config'>,
  db: Reader,
  targets: readonly AdminRecord[],
  state: State,
): Promise<Map<string, string>> => {
  const ruled = targets.filter((target) => mayBeRuled(target, state))
  const policies = await policiesOf(db, ruled.flatMap(domainsOf))
  return new Map(
    ruled.flatMap((target) => {
      const stamps = domainsOf(target).flatMap((domain) => {
        const policy = policies.get(domain)
        if (!policy || (state !== 'silence' && state !== 'suspend')) return []
        return stampInForce(domain, policy, state, ctx.config.limitedFederation) ?? []
      })
      return stamps[0] === undefined ? [] : [[target.id, stamps[0]] as const]
    }),
  )
}
