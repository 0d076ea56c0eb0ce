/**
 * Adds, changes and removes access rules (IP, e-mail and username blocks). Each change adds an audit log entry and
 * publishes the policy. `by` is null for operators.
 */
import { type ErrorText, errorText, fieldText, invalidField, notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { record } from '../core/audit-log/record.js'
import { changePolicy } from '../core/change-policy.js'
import { MAX_ACCESS_RULES } from './rules.js'
import { countAccessRules } from './store.js'

export type Kind = 'ip_block' | 'email_domain_block' | 'canonical_email_block' | 'username_block'

/** Name of the attribute in validation errors, by kind of access rule. */
const WORDS: Record<Kind, ErrorText> = {
  ip_block: fieldText('ip'),
  email_domain_block: fieldText('domain'),
  canonical_email_block: fieldText('email'),
  username_block: fieldText('username'),
}
const taken = (kind: Kind) => invalidField(errorText('{field} has already been taken', { field: WORDS[kind] }))

/** Throws 422 if the maximum number of access rules is stored. The published policy cannot contain more. */
export const checkSpace = async (tx: Tx, kind: Kind): Promise<void> => {
  if ((await countAccessRules(tx)) >= MAX_ACCESS_RULES)
    throw invalidField(
      errorText('{field} is one too many (maximum is {most})', { field: WORDS[kind], most: MAX_ACCESS_RULES }),
    )
}

/** Stores a rule. `insert` returns null if a rule for the same target exists; the request then fails with 422. */
export const addAccessRule = <Row extends { id: string }>(
  ctx: Context,
  by: Viewer | null,
  kind: Kind,
  target: string,
  insert: (tx: Tx) => Promise<Row | null>,
): Promise<Row> =>
  changePolicy(ctx, async (tx) => {
    await checkSpace(tx, kind)
    const row = await insert(tx)
    if (row === null) throw taken(kind)
    await record(ctx, tx, by, { action: `create_${kind}`, targetId: row.id, target, after: row })
    return row
  })

/** Changes a rule. `update` returns null if another rule has the same target; the request then fails with 422. */
export const changeAccessRule = <Row extends { id: string }>(
  ctx: Context,
  by: Viewer | null,
  kind: 'ip_block' | 'username_block',
  lock: (tx: Tx) => Promise<Row | null>,
  update: (tx: Tx, before: Row) => Promise<{ row: Row; target: string } | null>,
): Promise<Row> =>
  changePolicy(ctx, async (tx) => {
    const before = await lock(tx)
    if (before === null) throw notFound()
    const changed = await update(tx, before)
    if (changed === null) throw taken(kind)
    const { row, target } = changed
    await record(ctx, tx, by, { action: `update_${kind}`, targetId: row.id, target, before, after: row })
    return row
  })

/** Removes a rule. `remove` returns the removed row; null fails with 404. */
export const removeAccessRule = <Row extends { id: string }>(
  ctx: Context,
  by: Viewer | null,
  kind: Kind,
  remove: (tx: Tx) => Promise<Row | null>,
  targetOf: (row: Row) => string,
): Promise<void> =>
  changePolicy(ctx, async (tx) => {
    const row = await remove(tx)
    if (row === null) throw notFound()
    await record(ctx, tx, by, { action: `destroy_${kind}`, targetId: row.id, target: targetOf(row), before: row })
  })
