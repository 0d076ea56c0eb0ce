/** Renders account JSON for its owner, with the fields that can be edited. */
import type { CredentialAccount } from '@murmuration/contracts'
import { notFound } from '@murmuration/contracts/kit'
import { effectivePermissions } from '@murmuration/contracts/permissions'
import type { Context } from '../context.js'
import { movedTargets } from '../core/account/cards.js'
import { accountById } from '../core/account/store.js'
import { movedAccount, profileOf } from '../core/account/view.js'
import { countRequesters } from '../core/follow/page.store.js'
import { preferencesOf } from '../core/preference/store.js'
import { roleById } from '../core/role/store.js'
import { userByAccountId } from '../core/user/store.js'
import { privacyOf } from '../preference/index.js'

const EVERYONE = '-99'
/** Follow requests are counted up to this number. Clients then show "40+". */
const MAX_REQUESTS = 40

/** The viewer's own account, read from the database. The JSON does not show whether moderators limited the account. */
export const credentialAccount = async (
  ctx: Pick<Context, 'db' | 'site'>,
  accountId: string,
): Promise<CredentialAccount> => {
  const [row, user, chosen, requests] = await Promise.all([
    accountById(ctx.db, accountId),
    userByAccountId(ctx.db, accountId),
    preferencesOf(ctx.db, accountId),
    countRequesters(ctx.db, accountId, MAX_REQUESTS),
  ])
  if (!row || !user || !chosen) throw notFound()
  const [role, moved] = await Promise.all([roleById(ctx.db, user.role_id ?? EVERYONE), movedTargets(ctx, [row])])
  if (!role) throw new Error('the role of everyone is missing')
  const target = moved.get(row.moved_to_id ?? '')
  return {
    ...profileOf(row, ctx.site),
    feature_approval: { ...profileOf(row, ctx.site).feature_approval, current_user: 'automatic' },
    ...(target ? { moved: movedAccount(target, ctx.site) } : {}),
    source: {
      privacy: privacyOf(chosen),
      sensitive: chosen.default_sensitive,
      language: chosen.default_language,
      note: row.note,
      fields: row.fields,
      follow_requests_count: requests,
      hide_collections: row.hide_collections,
      discoverable: row.discoverable,
      indexable: row.indexable,
      attribution_domains: row.attribution_domains,
      quote_policy: chosen.default_quote_policy,
    },
    role: {
      id: role.id,
      name: role.name,
      color: role.color,
      permissions: String(effectivePermissions(user.role_permissions, user.everyone_permissions)),
      highlighted: role.highlighted,
      collection_limit: role.collection_limit,
    },
  }
}
