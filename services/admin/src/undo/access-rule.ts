/** Undoes actions on IP, e-mail domain, canonical e-mail and username blocks. */
import {
  removeCanonicalEmailBlock,
  removeEmailDomainBlock,
  updateIpBlock as updateIpBlockOperation,
  updateUsernameBlock as updateUsernameBlockOperation,
} from '@murmuration/contracts/admin'
import { IpBlockSeverity } from '@murmuration/contracts/entities'
import type { AnyOperation } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { z } from 'zod'
import { checkSpace, type Kind } from '../access-rule/index.js'
import {
  type CanonicalEmailBlockRow,
  deleteCanonicalEmailBlockById,
  insertCanonicalEmailBlock,
  lockCanonicalEmailBlock,
} from '../canonical-email-block/index.js'
import {
  deleteEmailDomainBlockById,
  type EmailDomainBlockRow,
  insertEmailDomainBlock,
  lockEmailDomainBlock,
} from '../email-domain-block/index.js'
import { deleteIpBlockById, type IpBlockRow, insertIpBlock, lockIpBlock, updateIpBlock } from '../ip-block/index.js'
import {
  deleteUsernameBlockById,
  insertUsernameBlock,
  lockUsernameBlock,
  type UsernameBlockRow,
  updateUsernameBlock,
} from '../username-block/index.js'
import type { Reversal } from './reversal.js'
import { recordedDate, rowReversal, undoObstacle } from './row.js'

/**
 * The reversal of actions on one kind of access rule. `insert` and `update` return false if another rule has the same
 * target.
 */
const accessRuleReversal = <Row extends { id: string; created_at: Date }>(
  kind: Kind,
  noun: {
    needs: AnyOperation
    recorded: z.ZodType<Row>
    lock(tx: Tx, id: string): Promise<Row | null>
    insert(tx: Tx, row: Row): Promise<unknown>
    update?(tx: Tx, row: Row): Promise<unknown>
    remove(tx: Tx, id: string): Promise<unknown>
    /** True if the access rule to restore would have expired already. */
    isOver?(row: Row, now: number): boolean
  },
): Reversal =>
  rowReversal<Row, Row>({
    needs: noun.needs,
    recorded: noun.recorded,
    isPublished: true,
    lock: noun.lock,
    async store(ctx, tx, { id, row, to }) {
      if (to === null) return void (await noun.remove(tx, id))
      if (noun.isOver?.(to, ctx.clock.now())) throw undoObstacle('is_expired')
      if (row === null) await checkSpace(tx, kind)
      if (!(await (row === null ? noun.insert(tx, to) : noun.update?.(tx, to)))) throw undoObstacle('is_taken')
    },
  })

const row = { id: z.string(), created_at: recordedDate() }

export const ipBlocks = accessRuleReversal<IpBlockRow>('ip_block', {
  needs: updateIpBlockOperation,
  recorded: z.object({
    ...row,
    ip: z.string(),
    severity: IpBlockSeverity,
    comment: z.string(),
    expires_at: recordedDate().nullable(),
  }),
  lock: lockIpBlock,
  insert: insertIpBlock,
  update: updateIpBlock,
  remove: deleteIpBlockById,
  isOver: ({ expires_at }, now) => expires_at !== null && expires_at.getTime() <= now,
})

export const emailDomainBlocks = accessRuleReversal<EmailDomainBlockRow>('email_domain_block', {
  needs: removeEmailDomainBlock,
  recorded: z.object({ ...row, domain: z.string(), allow_with_approval: z.boolean() }),
  lock: lockEmailDomainBlock,
  insert: insertEmailDomainBlock,
  remove: deleteEmailDomainBlockById,
})

export const canonicalEmailBlocks = accessRuleReversal<CanonicalEmailBlockRow>('canonical_email_block', {
  needs: removeCanonicalEmailBlock,
  recorded: z.object({ ...row, canonical_email_hash: z.string(), account_id: z.string().nullable() }),
  lock: lockCanonicalEmailBlock,
  insert: insertCanonicalEmailBlock,
  remove: deleteCanonicalEmailBlockById,
})

export const usernameBlocks = accessRuleReversal<UsernameBlockRow>('username_block', {
  needs: updateUsernameBlockOperation,
  recorded: z.object({ ...row, username: z.string(), exact: z.boolean(), allow_with_approval: z.boolean() }),
  lock: lockUsernameBlock,
  insert: insertUsernameBlock,
  update: updateUsernameBlock,
  remove: deleteUsernameBlockById,
})
