/** Whether the instance policy permits copies of remote files. */
import type { DomainRule } from '@murmuration/contracts/admin'
import type { BaseContext } from '@murmuration/kernel'
import { remoteAddress } from '@murmuration/text'

type Rules = Pick<BaseContext<never>, 'policy' | 'site'> & { readonly config: { readonly limitedFederation: boolean } }

const letsMediaIn = (rule: DomainRule | null): boolean =>
  rule === null || !(rule.reject_media || rule.severity === 'suspend')

/** Whether the loaded policy permits files of accounts of a domain. */
const mayComeFrom = ({ policy, config }: Omit<Rules, 'site'>, domain: string): boolean =>
  (!config.limitedFederation || policy.allows(domain)) && letsMediaIn(policy.domainRule(domain))

/**
 * Whether the copies of files of a domain must be deleted. While the allow list is empty, only rejected domains count,
 * so that a mistake deletes nothing.
 */
export const isRefused = (ctx: Omit<Rules, 'site'>, domain: string): boolean =>
  ctx.config.limitedFederation && !ctx.policy.allowsAnybody()
    ? !letsMediaIn(ctx.policy.domainRule(domain))
    : !mayComeFrom(ctx, domain)

/** Whether a file may be fetched from `url` for an account of `domain`. False while the policy is not loaded. */
export const mayCopy = (ctx: Rules, domain: string | null, url: URL): boolean => {
  if (!ctx.policy.loaded()) return false
  if (remoteAddress(url.href, [ctx.site.localDomain, ctx.site.webDomain]) === null) return false
  if (domain === null ? ctx.config.limitedFederation : !mayComeFrom(ctx, domain)) return false
  return letsMediaIn(ctx.policy.domainRule(url.hostname))
}
