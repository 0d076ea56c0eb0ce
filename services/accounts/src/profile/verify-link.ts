/** Marks profile fields as verified if their value is still the checked link. */
import { accountInvalidation } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import type { StoredField } from '../core/account/store.js'
import { provableLink, soleLink } from '../core/account/verified-link.rules.js'
import { lockFields, putFields } from './verified-link.store.js'

/** Marks the fields with the given links as verified. `links`: addresses of pages that link back to the profile. */
export const markProved = (
  ctx: Pick<Context, 'db' | 'invalidations' | 'clock'>,
  account: string,
  links: readonly string[],
): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const there = await lockFields(tx, account)
    if (!there) return
    const { local } = there
    const at = ctx.clock.date().toISOString()
    // For local accounts, the field texts as typed show whether a field contains a link. The rendered fields have the same order.
    const typed = local ? there.fields : there.fields_html
    // Visitors see the rendered field, so its link must be the checked one.
    const isProved = typed.map((field, i) => {
      const link = field.verified_at === null ? provableLink(field.value, local) : null
      return link !== null && links.includes(link) && soleLink(there.fields_html[i]?.value ?? '') === link
    })
    if (!isProved.includes(true)) return
    const marked = (all: readonly StoredField[]) =>
      all.map((field, i) => (isProved[i] ? { ...field, verified_at: at } : field))
    await putFields(tx, account, { fields: marked(there.fields), fields_html: marked(there.fields_html) })
    tx.onCommit(() => ctx.invalidations.send(accountInvalidation, [account]))
  })
