/** Making and lifting rules about who may come in: rows and deeds, among the writers of the policy. `by` null is an operator. */
import { invalidField, notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { canonicalEmailHash } from '@murmuration/kernel'
import { record } from '../audit-log/index.js'
import type { Context } from '../context.js'
import { addressOf, MOST_ACCESS_RULES, nameOf, providerOf, rangeOf } from '../domain/access-block.js'
import { countAccessRules } from '../store/access-rule.js'
import {
  type CanonicalEmailBlockRow,
  deleteCanonicalEmailBlock,
  insertCanonicalEmailBlock,
} from '../store/canonical-email-block.js'
import {
  deleteEmailDomainBlock,
  type EmailDomainBlockRow,
  insertEmailDomainBlock,
} from '../store/email-domain-block.js'
import { deleteIpBlock, type IpBlockRow, insertIpBlock } from '../store/ip-block.js'
import { deleteUsernameBlock, insertUsernameBlock, type UsernameBlockRow } from '../store/username-block.js'
import { changePolicy } from './publish-policy.js'

type Kind = 'ip_block' | 'email_domain_block' | 'canonical_email_block' | 'username_block'
const WORDS: Record<Kind, string> = {
  ip_block: 'Ip',
  email_domain_block: 'Domain',
  canonical_email_block: 'Email',
  username_block: 'Username',
}

const place = <Row extends { id: string }>(
  ctx: Context,
  by: Viewer | null,
  kind: Kind,
  target: string,
  insert: (tx: Tx) => Promise<Row | null>,
): Promise<Row> =>
  changePolicy(ctx, async (tx) => {
    if ((await countAccessRules(tx)) >= MOST_ACCESS_RULES)
      throw invalidField(`${WORDS[kind]} is one too many (maximum is ${MOST_ACCESS_RULES})`)
    const row = await insert(tx)
    if (row === null) throw invalidField(`${WORDS[kind]} has already been taken`)
    await record(ctx, tx, by, { action: `create_${kind}`, targetId: row.id, target, after: row })
    return row
  })

const lift = <Row extends { id: string }>(
  ctx: Context,
  by: Viewer | null,
  kind: Kind,
  target: string,
  remove: (tx: Tx) => Promise<Row | null>,
): Promise<void> =>
  changePolicy(ctx, async (tx) => {
    const row = await remove(tx)
    if (row === null) throw notFound()
    await record(ctx, tx, by, { action: `destroy_${kind}`, targetId: row.id, target, before: row })
  })

export const placeIpBlock = (
  ctx: Context,
  by: Viewer | null,
  wanted: Pick<IpBlockRow, 'ip' | 'severity' | 'comment'> & { expires_in: number | null },
): Promise<IpBlockRow> => {
  const now = ctx.clock.now()
  const row = {
    id: ctx.ids.next(),
    ip: rangeOf(wanted.ip),
    severity: wanted.severity,
    comment: wanted.comment,
    expires_at: wanted.expires_in === null ? null : new Date(now + wanted.expires_in * 1_000),
    created_at: new Date(now),
  }
  return place(ctx, by, 'ip_block', row.ip, (tx) => insertIpBlock(tx, row))
}
export const liftIpBlock = (ctx: Context, by: Viewer | null, given: string): Promise<void> => {
  const ip = rangeOf(given)
  return lift(ctx, by, 'ip_block', ip, (tx) => deleteIpBlock(tx, ip))
}

export const placeEmailDomainBlock = (
  ctx: Context,
  by: Viewer | null,
  wanted: Pick<EmailDomainBlockRow, 'domain' | 'allow_with_approval'>,
): Promise<EmailDomainBlockRow> => {
  const row = { ...wanted, domain: providerOf(wanted.domain), id: ctx.ids.next(), created_at: ctx.clock.date() }
  return place(ctx, by, 'email_domain_block', row.domain, async (tx) =>
    (await insertEmailDomainBlock(tx, row)) ? row : null,
  )
}
export const liftEmailDomainBlock = (ctx: Context, by: Viewer | null, given: string): Promise<void> => {
  const domain = providerOf(given)
  return lift(ctx, by, 'email_domain_block', domain, (tx) => deleteEmailDomainBlock(tx, domain))
}

const emailHashOf = (given: string): string => {
  const address = addressOf(given)
  return 'hash' in address ? address.hash : canonicalEmailHash(address.email)
}
export const placeCanonicalEmailBlock = (
  ctx: Context,
  by: Viewer | null,
  given: string,
): Promise<CanonicalEmailBlockRow> => {
  const hash = emailHashOf(given)
  const row = { id: ctx.ids.next(), canonical_email_hash: hash, account_id: null, created_at: ctx.clock.date() }
  return place(ctx, by, 'canonical_email_block', row.canonical_email_hash, async (tx) =>
    (await insertCanonicalEmailBlock(tx, row)) ? row : null,
  )
}
export const liftCanonicalEmailBlock = (ctx: Context, by: Viewer | null, given: string): Promise<void> => {
  const hash = emailHashOf(given)
  return lift(ctx, by, 'canonical_email_block', hash, (tx) => deleteCanonicalEmailBlock(tx, hash))
}

export const placeUsernameBlock = (
  ctx: Context,
  by: Viewer | null,
  wanted: Pick<UsernameBlockRow, 'username' | 'exact' | 'allow_with_approval'>,
): Promise<UsernameBlockRow> => {
  const row = { ...wanted, username: nameOf(wanted.username), id: ctx.ids.next(), created_at: ctx.clock.date() }
  return place(ctx, by, 'username_block', row.username, async (tx) =>
    (await insertUsernameBlock(tx, row)) ? row : null,
  )
}
export const liftUsernameBlock = (ctx: Context, by: Viewer | null, given: string): Promise<void> => {
  const username = nameOf(given)
  return lift(ctx, by, 'username_block', username, (tx) => deleteUsernameBlock(tx, username))
}
