/** Operations on domain allows of limited federation mode. */
import {
  createDomainAllow,
  createDomainAllowByOperator,
  findDomainAllows,
  listDomainAllows,
  removeDomainAllow,
  removeDomainAllowByOperator,
  showDomainAllow,
} from '@murmuration/contracts/admin'
import { Failure, notFound, pageReply } from '@murmuration/contracts/kit'
import { endsOf } from '@murmuration/db'
import { changePolicy } from '../core/change-policy.js'
import { allowById, allowOf, allowPage, allowsAfter, type DomainAllowRow } from '../core/domain-allow.store.js'
import { otherDomain } from '../core/domain-name.rules.js'
import { handle } from '../handlers.js'
import { createAllows, removeAllow } from './allow.js'
import { adminAllow, adminAllowOf } from './view.js'

/** Lists allowed servers, newest first. */
export const list = handle(listDomainAllows, async (ctx, _viewer, page) => {
  const rows = await allowPage(ctx.db, page)
  return pageReply(
    listDomainAllows.output,
    rows.map(adminAllow),
    endsOf(
      rows.map((row) => row.id),
      page,
    ),
  )
})

/** Returns one allowed server. */
export const show = handle(showDomainAllow, async (ctx, _viewer, { id }) => {
  const row = await allowById(ctx.db, id)
  if (!row) throw notFound()
  return adminAllow(row)
})

/** Allows a server. A server that is allowed already is returned unchanged, without an entry in the audit log. */
export const create = handle(createDomainAllow, async (ctx, viewer, input) => {
  const domain = otherDomain(input.domain, ctx.site.handleDomains)
  const known = await allowOf(ctx.db, domain)
  if (known) return adminAllow(known)
  const { all } = await changePolicy(ctx, (tx) => createAllows(ctx, tx, viewer, [domain]))
  return adminAllow(all[0] as DomainAllowRow)
})

/** Removes a server from the allow list. */
export const remove = handle(removeDomainAllow, async (ctx, viewer, { id }) => {
  await changePolicy(ctx, async (tx) => {
    const row = await allowById(tx, id)
    if (!row) throw notFound()
    await removeAllow(ctx, tx, viewer, row)
  })
  return {}
})

/** Number of allowed servers per page of the list for operators. */
const PAGE = 500

/** Lists allowed servers by domain, for operators. */
export const find = handle(findDomainAllows, async (ctx, _viewer, { after }) => {
  const rows = await allowsAfter(ctx.db, after, PAGE)
  return { allows: rows.map(adminAllowOf), next: rows.length < PAGE ? null : (rows.at(-1)?.domain ?? null) }
})

/** Normalised domain of another server; null for an invalid domain. */
const nameOf = (given: string, own: ReadonlySet<string>): string | null => {
  try {
    return otherDomain(given, own)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** Allows servers, for operators. */
export const createByOperator = handle(createDomainAllowByOperator, async (ctx, _viewer, { domains }) => {
  const read = domains.map((given) => ({ given, domain: nameOf(given, ctx.site.handleDomains) }))
  const names = read.flatMap(({ domain }) => (domain === null ? [] : [domain]))
  const { fresh } = await changePolicy(ctx, (tx) => createAllows(ctx, tx, null, names))
  const made = new Set(fresh.map((row) => row.domain))
  return {
    results: read.map(({ given, domain }) => ({
      domain: domain ?? given,
      // The outcome of a domain that the list contains twice is first `allowed`, then `known`.
      outcome: domain === null ? ('invalid' as const) : made.delete(domain) ? ('allowed' as const) : ('known' as const),
    })),
  }
})

/** Removes a server from the allow list, for operators. */
export const removeByOperator = handle(removeDomainAllowByOperator, async (ctx, _viewer, input) => {
  const domain = otherDomain(input.domain, new Set())
  await changePolicy(ctx, async (tx) => {
    const row = await allowOf(tx, domain)
    if (!row) throw notFound()
    await removeAllow(ctx, tx, null, row)
  })
  return {}
})
